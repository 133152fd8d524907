/**
 * Keys that are pressed together, as text: what is held in this order, then one key: `Ctrl+Alt+Shift+K`, `F6`, `?`.
 * Ctrl stands for the Command key of a Mac too. A key is a character (a letter as a capital), a name of
 * `KeyboardEvent.key`, `Space`, or `1…9` for any of these digits.
 */

/** The part of a KeyboardEvent that says which keys are pressed. */
export interface Stroke {
  readonly key: string;
  readonly code?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export interface Chord {
  readonly hasCtrl: boolean;
  readonly hasAlt: boolean;
  readonly hasShift: boolean;
  readonly key: string;
}

export const anyDigit = '1…9';
const named =
  /^(F([1-9]|1\d|2[0-4])|Arrow(Up|Down|Left|Right)|Home|End|Page(Up|Down)|Tab|Escape|Enter|Space|Backspace|Delete|Insert)$/;

/** What is on nearly every key is told without the categories of Unicode, which take milliseconds to compile. */
const isCharacter = (key: string): boolean =>
  /^[!-~]$/.test(key) || (key > '~' && /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(key));

const capital = (letter: string): string => {
  const upper = letter.toUpperCase();
  return isCharacter(upper) ? upper : letter;
};

const isLetter = (key: string): boolean =>
  isCharacter(key) && key.toLowerCase() !== key.toUpperCase();

/** A character such as "?" needs Shift on some layouts and not on others, so that Shift says nothing about it. */
const isShiftFree = (key: string): boolean =>
  key === anyDigit || (isCharacter(key) && !isLetter(key) && key !== '.' && key !== ',');

/** A keyboard has few of them, and each is compared with all others. */
const known = new Map<string, Chord | null>();

/** The parts of a chord; null for a text that is none, or is not written as chords are. */
export function parseChord(text: string): Chord | null {
  const before = known.get(text);
  if (before !== undefined) return before;
  const chord = parse(text);
  known.set(text, chord);
  return chord;
}

function parse(text: string): Chord | null {
  const key = text.endsWith('+') ? '+' : text.slice(text.lastIndexOf('+') + 1);
  const chord = {
    hasCtrl: text.startsWith('Ctrl+'),
    hasAlt: /^(Ctrl\+)?Alt\+/.test(text),
    hasShift: /^(Ctrl\+)?(Alt\+)?Shift\+/.test(text),
    key,
  };
  const isKey = key === anyDigit || named.test(key) || (isCharacter(key) && capital(key) === key);
  if (!isKey || (chord.hasShift && isShiftFree(key))) return null;
  return formatChord(chord) === text ? chord : null;
}

export const formatChord = ({ hasCtrl, hasAlt, hasShift, key }: Chord): string =>
  `${hasCtrl ? 'Ctrl+' : ''}${hasAlt ? 'Alt+' : ''}${hasShift ? 'Shift+' : ''}${key}`;

/** Whether the key was pressed with what is Ctrl here, and the Command key on a Mac. */
export const hasControl = (stroke: Pick<Stroke, 'ctrlKey' | 'metaKey'>): boolean =>
  stroke.ctrlKey || stroke.metaKey;

/** With Alt held some systems write another character, and with Shift there is one over the full stop. */
function placeOf(stroke: Stroke): string | undefined {
  const { key, code = '', altKey, shiftKey } = stroke;
  if (altKey && !/^[!-~]$/.test(key)) return /^(?:Key|Digit)([A-Z\d])$/.exec(code)?.[1];
  const isHeld = altKey || hasControl(stroke);
  return shiftKey && isHeld && code === 'Period' ? '.' : undefined;
}

function keyOf(stroke: Stroke): string {
  const { key } = stroke;
  if (key === ' ') return 'Space';
  return placeOf(stroke) ?? (isCharacter(key) ? capital(key) : key);
}

const isDigitOrLetter = (key: string): boolean => key > '~' && /^[\p{L}\p{N}]$/u.test(key);

/** Whether a key types a letter or a digit of another script than Latin; undefined for what says nothing of the layout. */
export function isOtherScript(key: string): boolean | undefined {
  if (isDigitOrLetter(key)) return !/^\p{Script=Latin}$/u.test(key);
  return /^[A-Za-z]$/.test(key) ? false : undefined;
}

/** What the keys beside the letters type on the keyboard of the United States, alone and with Shift. */
const places: Readonly<Record<string, string>> = {
  Backquote: '`~',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Digit1: '1!',
  Digit2: '2@',
  Digit3: '3#',
  Digit4: '4$',
  Digit5: '5%',
  Digit6: '6^',
  Digit7: '7&',
  Digit8: '8*',
  Digit9: '9(',
  Digit0: '0)',
};

/** A keyboard with another script has the Latin keys printed on it, in the places of the United States. */
function latinStroke(stroke: Stroke): Stroke | null {
  const { code = '', shiftKey } = stroke;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  const key = letter ?? places[code]?.[shiftKey ? 1 : 0];
  return key === undefined ? null : { ...stroke, key };
}

/**
 * What a stroke may mean: first what it types, then what it types on the Latin keyboard.
 * @param isOtherLayout  the layout is one of another script, which a sign of it alone does not tell
 */
export function meaningsOf(stroke: Stroke, isOtherLayout = false): readonly Stroke[] {
  const isOther = isOtherScript(stroke.key) ?? (isOtherLayout && isCharacter(stroke.key));
  const latin = isOther ? latinStroke(stroke) : null;
  return latin === null ? [stroke] : [stroke, latin];
}

const latinOf = (stroke: Stroke): Stroke => meaningsOf(stroke).at(-1) ?? stroke;

/** What was pressed, as Latin keyboards write it; null for a key that has no name to keep, and for one that is only held, such as Ctrl. */
export function chordOf(pressed: Stroke): string | null {
  const stroke = latinOf(pressed);
  const key = keyOf(stroke);
  const text = formatChord({
    hasCtrl: hasControl(stroke),
    hasAlt: stroke.altKey,
    hasShift: stroke.shiftKey && !isShiftFree(key),
    key,
  });
  return parseChord(text) === null ? null : text;
}

const isSameKey = (one: string, other: string): boolean =>
  one === other || (one === anyDigit && /^[1-9]$/.test(other));

export function isStroke(text: string, stroke: Stroke): boolean {
  const chord = parseChord(text);
  return (
    chord !== null &&
    isSameKey(chord.key, keyOf(stroke)) &&
    hasControl(stroke) === chord.hasCtrl &&
    stroke.altKey === chord.hasAlt &&
    (isShiftFree(chord.key) || stroke.shiftKey === chord.hasShift)
  );
}

/** Which of the digits of `1…9` was pressed; undefined for another key. */
export function digitOf(stroke: Stroke): number | undefined {
  const key = keyOf(latinOf(stroke));
  return isSameKey(anyDigit, key) ? Number(key) : undefined;
}

/** Whether there are keys that both mean. */
export function overlap(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [parseChord(one), parseChord(other)];
  if (a === null || b === null) return false;
  return (
    (isSameKey(a.key, b.key) || isSameKey(b.key, a.key)) &&
    a.hasCtrl === b.hasCtrl &&
    a.hasAlt === b.hasAlt &&
    a.hasShift === b.hasShift
  );
}

/** A printable character without Ctrl and Alt: in a text field it is text, and a person can switch such keys off. */
export function isSingleKey(text: string): boolean {
  const chord = parseChord(text);
  if (chord === null || chord.hasCtrl || chord.hasAlt) return false;
  return chord.key === anyDigit || isCharacter(chord.key);
}
