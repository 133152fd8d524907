import {
  anyDigit,
  hasControl,
  isOtherScript,
  isSingleKey,
  isStroke,
  meaningsOf,
  type Stroke,
} from '#shared/bridge/keys/chords.ts';
import { chordsOf, type BoundAction, type Keyboard } from '#shared/bridge/keys/key-choices.ts';
import type {
  ActionId,
  ComposeShortcutId,
  KeyContext,
  ListShortcutId,
  ShortcutId,
} from '#shared/bridge/keys/keys.ts';

export { hasControl };
export type { ActionId, ListShortcutId, ShortcutId };

export const isMac = navigator.userAgent.includes('Mac OS');

const inContext = (keyboard: Keyboard, wanted: KeyContext): Keyboard =>
  keyboard.filter(({ context }) => context === wanted);

interface KeyMatch {
  readonly action: BoundAction;
  readonly chord: string;
}

function exactly(actions: Keyboard, stroke: Stroke): KeyMatch | undefined {
  for (const action of actions) {
    const chord = chordsOf(action).find((each) => isStroke(each, stroke));
    if (chord !== undefined) return { action, chord };
  }
  return undefined;
}

/** The layout in use, as the last letter told it: a sign such as `"` does not tell which layout typed it. */
let isOtherLayout = false;

function found(actions: Keyboard, stroke: Stroke): KeyMatch | undefined {
  // With Shift some layouts of other scripts type Latin letters.
  if (!stroke.shiftKey) isOtherLayout = isOtherScript(stroke.key) ?? isOtherLayout;
  for (const meaning of meaningsOf(stroke, isOtherLayout)) {
    const match = exactly(actions, meaning);
    if (match !== undefined) return match;
  }
  return undefined;
}

/**
 * @param isTyping  a text field has the focus: single keys are text then
 * @param hasSingleKeys  the person has them switched on
 */
export function shortcutOf(
  keyboard: Keyboard,
  stroke: Stroke,
  { isTyping, hasSingleKeys }: { readonly isTyping: boolean; readonly hasSingleKeys: boolean },
): ShortcutId | null {
  const match = found(inContext(keyboard, 'anywhere'), stroke);
  if (match === undefined) return null;
  const isText = isSingleKey(match.chord) && (isTyping || !hasSingleKeys);
  return isText ? null : (match.action.id as ShortcutId);
}

/** What a key means while a message has the focus. */
export const listShortcutOf = (keyboard: Keyboard, stroke: Stroke): ListShortcutId | null =>
  (found(inContext(keyboard, 'list'), stroke)?.action.id ?? null) as ListShortcutId | null;

/** What a key means while one writes, as far as that does not depend on what is written. */
export const composeShortcutOf = (keyboard: Keyboard, stroke: Stroke): ComposeShortcutId | null =>
  (found(inContext(keyboard, 'compose'), stroke)?.action.id ?? null) as ComposeShortcutId | null;

export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]');

const names: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Delete: 'Del',
  Insert: 'Ins',
  ...(isMac ? { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' } : {}),
};

const keysIn = (chord: string): readonly string[] =>
  [...chord.matchAll(/[^+]+|\+$/g)].map(([key]) => key);

/** The keys of a chord as they are printed on the keyboard. */
export const chordKeys = (chord: string): readonly string[] =>
  keysIn(chord).map((key) => names[key] ?? key);

/** A chord in a sentence. */
export const chordText = (chord: string): string => chordKeys(chord).join('+');

/** The first keys of an action; a letter says more than a key that moves in every list. Empty where it has none. */
export function hintOf(keyboard: Keyboard, id: ActionId, digit?: number): string {
  const action = keyboard.find((each) => each.id === id);
  const chord = action?.chosen[0] ?? action?.fixed[0];
  if (chord === undefined) return '';
  return chordText(digit === undefined ? chord : chord.replace(anyDigit, String(digit)));
}

/** A name with the keys that do the same, as tooltips have it. */
export function withHint(name: string, ...of: Parameters<typeof hintOf>): string {
  const hint = hintOf(...of);
  return hint === '' ? name : `${name} (${hint})`;
}

const spoken: Readonly<Record<string, string>> = {
  Ctrl: isMac ? 'Meta' : 'Control',
  '+': 'Plus',
};

/** The keys of an action as `aria-keyshortcuts` has them; undefined where it has none. */
export function ariaKeys(keyboard: Keyboard, id: ActionId): string | undefined {
  const action = keyboard.find((each) => each.id === id);
  if (action === undefined || chordsOf(action).length === 0) return undefined;
  const one = (chord: string): string =>
    keysIn(chord)
      .map((key) => spoken[key] ?? key)
      .join('+');
  return chordsOf(action).map(one).join(' ');
}
