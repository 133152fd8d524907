import { anyDigit, formatChord, parseChord } from './chords.ts';

const names: readonly (readonly [key: string, name: string])[] = [
  ['ArrowUp', 'Up'],
  ['ArrowDown', 'Down'],
  ['ArrowLeft', 'Left'],
  ['ArrowRight', 'Right'],
  ['Escape', 'Esc'],
  ['+', 'Plus'],
];

/** As menus and keys from other programs are given to Electron; undefined for a key that it has no name for. */
export function acceleratorOf(text: string): string | undefined {
  const chord = parseChord(text);
  if (chord === null || chord.key === anyDigit || !/^[!-~]+$/.test(chord.key)) return undefined;
  const { hasCtrl, hasAlt, hasShift, key } = chord;
  const name = names.find(([each]) => each === key)?.[1] ?? key;
  return `${hasCtrl ? 'CmdOrCtrl+' : ''}${hasAlt ? 'Alt+' : ''}${hasShift ? 'Shift+' : ''}${name}`;
}

/** The chord that an accelerator stands for; the text itself where there is none. */
export function chordOfAccelerator(text: string): string {
  const parts = text.split('+');
  const last = parts.at(-1) ?? '';
  const holds = (held: RegExp): boolean => parts.slice(0, -1).some((part) => held.test(part));
  const named = names.find(([, name]) => name.toLowerCase() === last.toLowerCase());
  const chord = formatChord({
    hasCtrl: holds(/^(Cmd|Command|Control|Ctrl|CmdOrCtrl|CommandOrControl)$/i),
    hasAlt: holds(/^(Alt|Option)$/i),
    hasShift: holds(/^Shift$/i),
    key: named?.[0] ?? (last.length === 1 ? last.toUpperCase() : last),
  });
  return parseChord(chord) === null || holds(/^(Super|Meta|AltGr)$/i) ? text : chord;
}
