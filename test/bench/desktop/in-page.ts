/** What runs in the page of the application: each function is handed over as text, so it may use nothing from here. */

/** Milliseconds from the click on another conversation's row until its messages are painted. */
export async function switchConversations(count: number): Promise<readonly number[]> {
  const rows = (): readonly HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>('nav .is-indented [data-row]'),
  ];
  const messageIds = (): ReadonlySet<string | null> =>
    new Set(
      [...document.querySelectorAll('main [data-message-id]')]
        .filter((row) => row.checkVisibility({ visibilityProperty: true }))
        .map((row) => row.getAttribute('data-message-id')),
    );
  const { port1, port2 } = new MessageChannel();
  /** Settles when a frame is painted, and not at the beginning of the next one: what is drawn in it may have been measured first. */
  const painted = (): Promise<number> =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve(performance.now());
      requestAnimationFrame(() => port2.postMessage(null));
    });
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const all = rows();
    const row = all[i % all.length];
    if (all.length < 2 || row === undefined) throw new Error('no conversations to switch between');
    if (row.hasAttribute('aria-current')) continue;
    const before = messageIds();
    // A person does not click in step with the display.
    await new Promise((resolve) => setTimeout(resolve, 200 + ((i * 7) % 17)));
    const startedAt = performance.now();
    row.click();
    for (;;) {
      const paintedAt = await painted();
      const now = messageIds();
      if (now.size > 0 && [...now].every((id) => !before.has(id))) {
        times.push(paintedAt - startedAt);
        break;
      }
      if (paintedAt - startedAt > 10_000) throw new Error('the conversation did not open');
    }
  }
  return times;
}

/** Milliseconds until copies of two conversations are painted in turn, by the browser alone. */
export async function switchCopies(count: number): Promise<readonly number[]> {
  const main = document.querySelector<HTMLElement>('main');
  const rows = [...document.querySelectorAll<HTMLElement>('nav .is-indented [data-row]')];
  if (main === null || rows.length < 2) throw new Error('no conversations to switch between');
  const listIn = (place: HTMLElement): HTMLElement | null =>
    place.querySelector('[data-message-id]')?.closest<HTMLElement>('[role=list]') ?? null;
  const copies: { readonly copy: HTMLElement; readonly scrolled: number }[] = [];
  for (const row of rows.slice(0, 2)) {
    row.click();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const copy = main.cloneNode(true) as HTMLElement;
    copy.style.blockSize = '100%';
    copies.push({ copy, scrolled: listIn(main)?.scrollTop ?? 0 });
  }
  const { x, y, width, height } = main.getBoundingClientRect();
  const cover = document.createElement('div');
  Object.assign(cover.style, { position: 'fixed', zIndex: '99', display: 'grid' });
  for (const [name, px] of Object.entries({ left: x, top: y, width, height })) {
    cover.style.setProperty(name, `${String(px)}px`);
  }
  main.parentElement?.append(cover);
  const { port1, port2 } = new MessageChannel();
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const { copy, scrolled } = copies[i % 2]!;
    await new Promise((resolve) => setTimeout(resolve, 200 + ((i * 7) % 17)));
    const startedAt = performance.now();
    cover.replaceChildren(copy);
    listIn(copy)?.scrollTo({ top: scrolled });
    const paintedAt = await new Promise<number>((resolve) => {
      port1.onmessage = () => resolve(performance.now());
      requestAnimationFrame(() => port2.postMessage(null));
    });
    times.push(paintedAt - startedAt);
  }
  cover.remove();
  return times;
}

/** Unfolds the first streams of the left column, so that their conversations can be clicked. */
export async function unfoldStreams(count: number): Promise<void> {
  const marks = [...document.querySelectorAll<HTMLElement>('nav button.mark[aria-expanded=false]')];
  for (const mark of marks.slice(0, count)) mark.click();
  await new Promise(requestAnimationFrame);
}

/** Scrolls up until so many messages of the view of everything are loaded: their ids follow one another there. */
export async function loadOlder(wanted: number): Promise<number> {
  const list = document.querySelector('main [data-message-id]')?.closest('[role=list]');
  if (list === null || list === undefined) throw new Error('no list of messages');
  const edgeId = (side: 'first' | 'last'): number => {
    const rows = list.querySelectorAll('[data-message-id]');
    const row = side === 'first' ? rows[0] : rows[rows.length - 1];
    return Number(row?.getAttribute('data-message-id') ?? 0);
  };
  const newestId = edgeId('last');
  const startedAt = performance.now();
  let oldestId = edgeId('first');
  while (newestId - oldestId < wanted) {
    list.scrollTop = 0;
    await new Promise(requestAnimationFrame);
    oldestId = Math.min(oldestId, edgeId('first'));
    if (performance.now() - startedAt > 120_000) {
      throw new Error(`no more than ${String(newestId - oldestId)} messages were loaded`);
    }
  }
  return newestId - oldestId;
}

/** Covers the list with copies of its rows, one below the other, which the browser scrolls by itself. */
export async function coverWithCopies({
  heightPx,
  isAtEnd,
}: {
  readonly heightPx: number;
  readonly isAtEnd: boolean;
}): Promise<void> {
  const list = document
    .querySelector('main [data-message-id]')
    ?.closest<HTMLElement>('[role=list]');
  if (list === null || list === undefined) throw new Error('no list of messages');
  const rows = [...list.querySelectorAll<HTMLElement>('[data-message-id]')];
  const cover = document.createElement('div');
  cover.id = 'bench-cover';
  const style = { position: 'absolute', inset: '0', zIndex: '99', overflow: 'hidden auto' };
  Object.assign(cover.style, { ...style, background: 'Canvas' });
  list.parentElement?.append(cover);
  while (cover.scrollHeight < heightPx) cover.append(...rows.map((row) => row.cloneNode(true)));
  if (isAtEnd) cover.scrollTop = cover.scrollHeight;
  await new Promise((resolve) => setTimeout(resolve, 500));
}

export function uncover(): void {
  document.querySelector('#bench-cover')?.remove();
}

interface WithKeys {
  benchKeys?: number[];
}

/** Notes from now on how long each key takes from the event until the next frame is painted. */
export function watchKeys(): void {
  const times: number[] = [];
  (globalThis as WithKeys).benchKeys = times;
  const { port1, port2 } = new MessageChannel();
  let pressedAt = 0;
  port1.onmessage = () => times.push(performance.now() - pressedAt);
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      pressedAt = timeStamp;
      requestAnimationFrame(() => port2.postMessage(null));
    },
    { capture: true },
  );
}

export function takeKeys(): readonly number[] {
  return (globalThis as WithKeys).benchKeys?.splice(0) ?? [];
}

interface WithFrames {
  benchFrames?: { stop: () => readonly number[] };
}

/** Notes from now on the milliseconds between frames. */
export function watchFrames(): void {
  const deltas: number[] = [];
  let isStopped = false;
  let last = performance.now();
  const turn = (now: number): void => {
    deltas.push(now - last);
    last = now;
    if (!isStopped) requestAnimationFrame(turn);
  };
  requestAnimationFrame((now) => {
    last = now;
    requestAnimationFrame(turn);
  });
  (globalThis as WithFrames).benchFrames = {
    stop: () => {
      isStopped = true;
      return deltas;
    },
  };
}

export function takeFrames(): readonly number[] {
  return (globalThis as WithFrames).benchFrames?.stop() ?? [];
}
