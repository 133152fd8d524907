import { focusRegion, isRegion } from './regions.ts';

const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
const writable = 'input, select, textarea';

/** An element that had the focus, or holds it, and its place among its siblings. */
interface FocusPosition {
  readonly element: Element;
  readonly index: number;
}

function trailOf(from: Element | null): readonly FocusPosition[] {
  const trail: FocusPosition[] = [];
  for (let element = from; element?.parentElement; element = element.parentElement) {
    trail.push({ element, index: [...element.parentElement.children].indexOf(element) });
  }
  return trail;
}

const isOpenTo = (element: Element): boolean =>
  element.isConnected &&
  element.checkVisibility({ visibilityProperty: true }) &&
  !element.matches(':disabled, [inert], [inert] *, [aria-hidden="true"]');

/** Where the focus brings up a keyboard on the screen, it would cover what was opened. */
const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches;

function take(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement) || !isOpenTo(element)) return false;
  if (isTouched() && element.matches(writable)) return false;
  element.focus({ preventScroll: true });
  if (document.activeElement !== element) return false;
  element.scrollIntoView({ block: 'nearest' });
  return true;
}

function takeFirstIn(parent: Element): boolean {
  if ([...parent.querySelectorAll('[data-first]')].some(take)) return true;
  return [...parent.querySelectorAll(controls)].some(take);
}

const takeIn = (element: Element | undefined): boolean =>
  element !== undefined &&
  ((element.matches(`${controls}, [data-first]`) && take(element)) || takeFirstIn(element));

const parts = 'dialog, main, [data-region]';

/** To the beginning of a part of the window; what closes a dialog is none. */
function takePart(part: HTMLElement): boolean {
  const { region } = part.dataset;
  if (region !== undefined && isRegion(region)) return focusRegion(region);
  if (!part.matches('dialog')) return false;
  return take(part.querySelector('[data-first]')) || take(part);
}

/** What came in its place, what stands beside that, or the beginning of the smallest part that is left. */
function takeNear(trail: readonly FocusPosition[]): boolean {
  for (const [at, { element, index }] of trail.entries()) {
    // With a whole part of the window gone, what stands beside it is another one.
    if (element.matches(parts)) return false;
    const parent = trail[at + 1]?.element;
    if (!(parent instanceof HTMLElement) || !isOpenTo(parent)) continue;
    // Messages know which of them is in sight.
    if (!parent.matches('[data-region="messages"]:not([tabindex]), main')) {
      const { children } = parent;
      if ([index, index + 1, index - 1].some((place) => takeIn(children[place]))) return true;
    }
    if (parent.matches(parts)) return takePart(parent);
  }
  return false;
}

/** Nothing behind a dialog can have the focus. */
function takeAfter(trail: readonly FocusPosition[]): boolean {
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog:modal')].at(-1);
  if (dialog === undefined) return takeNear(trail);
  const isInside = trail.some(({ element }) => element === dialog);
  return (isInside && takeNear(trail)) || takePart(dialog);
}

/** Before anybody is signed in there are no messages, but a form. */
function takeForm(): boolean {
  const card = document.querySelector('main:not(:has([data-region])) form, main .choices');
  return card !== null && takeFirstIn(card);
}

/** Settles on the main part until that has something to go to. */
function takeMain(): 'done' | 'waiting' {
  if (focusRegion('messages') || takeForm()) return 'done';
  const main = document.querySelector('main');
  if (main === null) return 'waiting';
  if (document.activeElement !== main) take(main);
  return main.matches('[tabindex]') ? 'waiting' : takeFirstIn(main) ? 'done' : 'waiting';
}

/** A list is about to take the focus, and has the last word. */
const isAwaited = (): boolean => document.querySelector('[data-awaits-focus]') !== null;

/** What takes the focus away without removing anything. */
const usual = ['disabled', 'hidden', 'inert', 'open', 'class'];

/**
 * For the life of a window: when what had the focus is gone, or gave it away to nothing, the focus goes to what came in its
 * place, to its neighbour, or to the beginning of the part of the window that it was in. Whoever wants it elsewhere says so
 * at once: this looks a frame later. A click beside everything and Tab from the end of the page leave it nowhere, as they should.
 */
class FocusRestorer {
  #trail: readonly FocusPosition[] = trailOf(document.activeElement);
  #isWaiting = false;
  #isByPointer = false;
  #isByTab = false;
  /** By a click beside everything, or by Tab from the end of the page to what the browser shows around it. */
  #isGivenAway = false;
  /** What is read: where a key takes it away, nothing may have had the focus. */
  #shown: Element | null = null;
  #frame = 0;
  readonly #observer = new MutationObserver(() => this.#lookSoon());
  readonly #stopping = new AbortController();

  constructor() {
    const { signal } = this.#stopping;
    const follow = <T extends keyof DocumentEventMap>(
      type: T,
      listen: (event: DocumentEventMap[T]) => void,
    ): void => document.addEventListener(type, listen, { capture: true, signal });
    follow('pointerdown', () => {
      this.#isByPointer = true;
      this.#isByTab = false;
      this.#wait(false);
    });
    follow('keydown', ({ key }) => {
      this.#isByPointer = false;
      this.#isByTab = key === 'Tab';
    });
    follow('focusin', ({ target }) => {
      // Whoever is quick has gone on before the next frame.
      if (target instanceof Element && !target.matches('main')) this.#trail = trailOf(target);
      this.#lookSoon();
    });
    follow('focusout', () => {
      this.#isGivenAway = this.#isByPointer || this.#isByTab;
      this.#lookSoon();
    });
    this.#watch(usual);
  }

  stop(): void {
    this.#observer.disconnect();
    this.#stopping.abort();
    cancelAnimationFrame(this.#frame);
  }

  /** Until there is something to go to, everything may be what makes it so. */
  #wait(isWaiting: boolean): void {
    if (isWaiting !== this.#isWaiting) this.#watch(isWaiting ? [...usual, 'style'] : usual);
    this.#isWaiting = isWaiting;
  }

  #watch(attributeFilter: string[]): void {
    const tree = { subtree: true, childList: true, attributes: true };
    this.#observer.observe(document.documentElement, { ...tree, attributeFilter });
  }

  #lookSoon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (isAwaited()) this.#lookSoon();
      else this.#look();
    });
  }

  #look(): void {
    const { activeElement, body } = document;
    const isGone = this.#shown?.isConnected === false;
    this.#shown = document.querySelector('[data-region="messages"]');
    const isNowhere = activeElement === null || activeElement === body;
    const isMain = activeElement?.matches('main') === true && this.#leadsOn();
    if (!isNowhere && !isMain) {
      this.#wait(false);
      this.#trail = trailOf(activeElement);
      return;
    }
    if (!this.#isWaiting && !isMain && !this.#mayWait(isGone)) return;
    this.#wait(takeMain() === 'waiting');
  }

  /** Whoever went somewhere by keys goes on from the main part to what comes up in it. */
  #leadsOn(): boolean {
    return this.#isWaiting || !this.#isByPointer;
  }

  /** Nothing has the focus: whether that is to be mended, and nothing near the place where it was could take it. */
  #mayWait(isGone: boolean): boolean {
    const trail = this.#trail;
    this.#trail = [];
    const [lost] = trail;
    if (lost === undefined) return isGone && !this.#isByPointer;
    const isLeft = isOpenTo(lost.element);
    if (isLeft && this.#isGivenAway) return false;
    return !takeAfter(isLeft ? [] : trail);
  }
}

export function restoreLostFocus(): () => void {
  const keeper = new FocusRestorer();
  return () => keeper.stop();
}
