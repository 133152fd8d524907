/** The parts of the window that F6 goes through, in order, and what gets the focus in each, best first. */
const regions = {
  organizations: ['[aria-current="true"]', 'button'],
  navigation: ['[aria-current="true"]', 'button'],
  search: ['input'],
  messages: ['[tabindex="0"]', '[role="list"] button', 'button', '[tabindex]'],
  compose: ['[data-starts]', 'textarea', 'button', '[tabindex]'],
  details: ['input', 'button'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type RegionName = keyof typeof regions;

export const isRegion = (name: string): name is RegionName => Object.hasOwn(regions, name);

const names = Object.keys(regions) as readonly RegionName[];

const find = (name: RegionName): HTMLElement | null =>
  document.querySelector(`[data-region="${name}"]`);

/** The chosen message if it is in sight, else the first that is: taking the focus must not take the reader elsewhere. */
function focusSeenMessage(): boolean {
  const list = find('messages');
  if (list === null) return false;
  const frame = list.getBoundingClientRect();
  const seen = [...list.querySelectorAll<HTMLElement>('[data-message-id]')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > frame.top && top < frame.bottom;
  });
  const isWhole = (row: HTMLElement): boolean => row.getBoundingClientRect().top >= frame.top;
  const target = seen.find(({ tabIndex }) => tabIndex === 0) ?? seen.find(isWhole) ?? seen[0];
  target?.focus({ preventScroll: true });
  return target !== undefined && document.activeElement === target;
}

/** A key of the messages that was pressed where nothing has the focus is meant for those that are in sight. */
export function handToMessages(event: KeyboardEvent): void {
  const { activeElement } = document;
  const isNowhere = activeElement === document.body || activeElement?.matches('main') === true;
  if (!isNowhere) return;
  if (!focusSeenMessage()) {
    // A page has rows instead, and the arrows go through them.
    if (event.key.startsWith('Arrow') && focusRegion('messages')) event.preventDefault();
    return;
  }
  event.preventDefault();
  const { key, code, ctrlKey, shiftKey, altKey, metaKey } = event;
  const keys = { key, code, ctrlKey, shiftKey, altKey, metaKey };
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { ...keys, bubbles: true, cancelable: true }),
  );
}

/** Whether the region was there to take the focus: on a narrow window not every one is. */
export function focusRegion(name: RegionName): boolean {
  if (name === 'messages' && focusSeenMessage()) return true;
  const region = find(name);
  for (const selector of regions[name]) {
    const target = region?.querySelector<HTMLElement>(selector);
    target?.focus();
    if (target && document.activeElement === target) return true;
  }
  // A page without anything to press is still a place to be.
  if (region?.hasAttribute('tabindex') !== true) return false;
  region.focus();
  return document.activeElement === region;
}

/** A list that opens cannot take the focus until it stands where it belongs. */
const OPENING_FRAMES = 60;

/** To the messages as soon as they are shown, unless the focus has gone elsewhere meanwhile. */
export async function passFocusOn(from: HTMLElement): Promise<void> {
  for (let frame = 0; frame < OPENING_FRAMES; frame += 1) {
    const list = find('messages')?.querySelector('[role="list"]');
    const isOpening = list ? getComputedStyle(list).visibility === 'hidden' : false;
    if (document.activeElement !== from || (!isOpening && focusRegion('messages'))) return;
    await new Promise(requestAnimationFrame);
  }
}

export function cycleRegions(step: -1 | 1): void {
  const at = names.findIndex((name) => find(name)?.contains(document.activeElement) === true);
  for (let i = 1; i <= names.length; i += 1) {
    const name =
      names[(Math.max(at, step === 1 ? -1 : 0) + step * i + names.length * 2) % names.length];
    if (name !== undefined && focusRegion(name)) return;
  }
}
