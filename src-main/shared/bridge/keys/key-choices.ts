/** Which keys an action has when a person has chosen some, and which ones it may be given. */
import { anyDigit, formatChord, isSingleKey, overlap, parseChord } from './chords.ts';
import { keyActions, type ActionId, type KeyAction, type KeyContext } from './keys.ts';

/** Chords in place of the default ones, none for an empty list. What is as by default is left out. */
export type ChangedKeys = Readonly<Partial<Record<ActionId, readonly string[]>>>;

export interface BoundAction extends KeyAction {
  /** The chords that hold now besides the fixed ones. */
  readonly chosen: readonly string[];
}

/** Every action with its keys, in the order of the table; no stroke means two of them in one place. */
export type Keyboard = readonly BoundAction[];

export const chordsOf = ({ fixed, chosen }: BoundAction): readonly string[] => [
  ...fixed,
  ...chosen,
];

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);

export const isChanged = ({ chosen, defaults }: BoundAction): boolean =>
  !isSameList(chosen, defaults);

/** Why a key cannot be given to an action, whoever has it now. */
export type Refusal = 'field' | 'system' | 'text' | 'digit';

const editing =
  /^(Enter|Space|Backspace|Delete|Insert|Arrow(Up|Down|Left|Right)|Home|End|Page(Up|Down))$/;
/** They edit text, and copy from wherever the focus is. */
const fieldChords = new Set(
  ['A', 'C', 'V', 'X', 'Y', 'Z', 'Shift+Z', 'Shift+V'].map((key) => `Ctrl+${key}`),
);
const windowChords = ['Ctrl+Q', 'Ctrl+W', 'Ctrl+M', 'Ctrl+0', 'Ctrl+=', 'Ctrl++', 'Ctrl+-'];
const otherSystems = new Set([
  ...windowChords,
  ...['F10', 'Shift+F10', 'F11', 'Alt+F4', 'Alt+Tab', 'Alt+Shift+Tab', 'Alt+Space'],
  ...['Alt+Escape', 'Alt+Shift+Escape', 'Ctrl+Escape', 'Ctrl+Shift+Escape'],
  ...['Ctrl+Alt+Delete', 'Ctrl+Alt+Tab'],
]);
const macSystem = new Set([
  ...windowChords,
  ...['Ctrl+H', 'Ctrl+Alt+H', 'Ctrl+Shift+Q', 'Ctrl+Space', 'Ctrl+Alt+Space', 'Ctrl+`'],
  ...['Ctrl+Alt+Escape', 'Ctrl+Alt+M', 'Ctrl+Alt+W'],
]);

/** Keys that text fields, lists and buttons understand themselves. */
function isOfFields(text: string, context: KeyContext, isMac: boolean): boolean {
  if (fieldChords.has(text)) return true;
  const chord = parseChord(text);
  if (chord === null) return false;
  const { key, hasAlt, hasCtrl } = chord;
  if (key === 'Tab') return !hasCtrl;
  if (key === 'Escape') return text === 'Escape';
  // What the message list needs of them is fixed in the table; nobody types there.
  if (!editing.test(key) || context === 'list') return false;
  if (!hasAlt) return true;
  return key === 'Backspace' || (isMac && /^(ArrowLeft|ArrowRight|Delete)$/.test(key));
}

/**
 * @param action  null for the key that acts from other programs too
 * @returns null where nothing is in the way
 */
export function refusalOf(
  action: Pick<KeyAction, 'id' | 'context'> | null,
  chord: string,
  isMac: boolean,
): Refusal | null {
  const isOfDigits = action?.id === 'organization';
  if ((parseChord(chord)?.key === anyDigit) !== isOfDigits) return 'digit';
  if (isOfFields(chord, action?.context ?? 'anywhere', isMac)) return 'field';
  if ((isMac ? macSystem : otherSystems).has(chord)) return 'system';
  return isText(action, chord) ? 'text' : null;
}

function isText(action: Pick<KeyAction, 'context'> | null, chord: string): boolean {
  if (action !== null) return action.context === 'compose' && isSingleKey(chord);
  // No other program could use it any more.
  return !/^(Ctrl|Alt)\+|^(Shift\+)?F\d/.test(chord);
}

/** What was pressed, for an action that has a key for each digit. */
export function asDigits(text: string): string {
  const chord = parseChord(text);
  return chord !== null && /^[1-9]$/.test(chord.key)
    ? formatChord({ ...chord, key: anyDigit })
    : text;
}

const meet = (one: KeyContext, other: KeyContext): boolean =>
  one === other || one === 'anywhere' || other === 'anywhere';

/** What holds when these were chosen. A chosen key is no longer the default of another action. */
export function keyboardOf(changed: ChangedKeys, isMac: boolean): Keyboard {
  const actions = keyActions(isMac);
  const taken = actions.flatMap(({ fixed, context }) => fixed.map((chord) => ({ chord, context })));
  const chosen = new Map<ActionId, readonly string[]>();
  const isFree = (chord: string, { context }: KeyAction): boolean =>
    !taken.some((other) => meet(other.context, context) && overlap(other.chord, chord));

  function give(action: KeyAction, wanted: readonly string[]): void {
    const given: string[] = [];
    for (const chord of wanted) {
      if (!isFree(chord, action)) continue;
      given.push(chord);
      taken.push({ chord, context: action.context });
    }
    chosen.set(action.id, given);
  }

  const own = actions.filter(({ sameAs }) => sameAs === undefined);
  for (const action of own) {
    const wanted = changed[action.id];
    if (wanted === undefined) continue;
    // Kept by another version, or written by hand.
    const isPossible = (chord: string): boolean =>
      parseChord(chord) !== null && refusalOf(action, chord, isMac) === null;
    give(action, action.defaults.length === 0 ? [] : wanted.filter(isPossible));
  }
  for (const action of own) if (!chosen.has(action.id)) give(action, action.defaults);
  return actions.map((action) => ({
    ...action,
    chosen: chosen.get(action.sameAs ?? action.id) ?? [],
  }));
}

export interface Conflict {
  readonly id: ActionId;
  /** It keeps its key in any case. */
  readonly isFixed: boolean;
}

/**
 * The actions that have these keys now, besides the one that is to get them.
 * @param id  null for the key that acts from other programs too
 */
export function conflictsOf(
  keyboard: Keyboard,
  id: ActionId | null,
  wanted: readonly string[],
): readonly Conflict[] {
  const context = keyboard.find((action) => action.id === id)?.context ?? 'anywhere';
  const isWanted = (chord: string): boolean => wanted.some((each) => overlap(each, chord));
  return keyboard.flatMap((action): readonly Conflict[] => {
    if (action.sameAs !== undefined || !meet(action.context, context)) return [];
    if (action.fixed.some(isWanted)) return [{ id: action.id, isFixed: true }];
    const isOther = action.id !== id && action.chosen.some(isWanted);
    return isOther ? [{ id: action.id, isFixed: false }] : [];
  });
}

/**
 * Gives these keys to an action and takes them from those that have them. Fixed and refused ones are not asked for.
 * @param id  null where only others lose them
 */
export function withKeys(
  changed: ChangedKeys,
  isMac: boolean,
  id: ActionId | null,
  wanted: readonly string[],
): ChangedKeys {
  const keyboard = keyboardOf(changed, isMac);
  const given = [...new Set(wanted)];
  const losers = new Set(conflictsOf(keyboard, id, given).map((conflict) => conflict.id));
  const own = keyboard.filter(({ sameAs }) => sameAs === undefined);
  const next = own.flatMap(({ id: each, chosen, defaults }): [ActionId, readonly string[]][] => {
    if (each === id) return isSameList(given, defaults) ? [] : [[each, given]];
    // A default key is lost by being chosen for another action, and comes back with that choice.
    if (changed[each] === undefined && (id !== null || !losers.has(each))) return [];
    const isLeft = (chord: string): boolean =>
      !losers.has(each) || !given.some((other) => overlap(other, chord));
    const left = chosen.filter(isLeft);
    return isSameList(left, defaults) ? [] : [[each, left]];
  });
  return Object.fromEntries(next);
}
