import fc from 'fast-check';
import { chordOf, parseChord, type Stroke } from '#shared/bridge/keys/chords.ts';

type Held = 'ctrl' | 'alt' | 'shift' | 'meta';

export const stroke = (key: string, ...held: readonly Held[]): Stroke => ({
  key,
  ctrlKey: held.includes('ctrl'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
  metaKey: held.includes('meta'),
});

const named = [
  'ArrowUp',
  'ArrowLeft',
  'Enter',
  'Escape',
  'Tab',
  ' ',
  'Home',
  'PageUp',
  'F6',
  'F11',
];
const keys = [...Array.from('abcdgjknpxA@?/*.,>+=-0159éß'), ...named, 'Dead', 'Control', 'π'];

export const anyStroke: fc.Arbitrary<Stroke> = fc.record({
  key: fc.constantFrom(...keys),
  code: fc.constantFrom('', 'Period', 'KeyP', 'Digit5'),
  ctrlKey: fc.boolean(),
  altKey: fc.boolean(),
  shiftKey: fc.boolean(),
  metaKey: fc.constantFrom(false, false, true),
});

/** Those that can be pressed, and the one for all digits. */
export const anyChord: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 9, arbitrary: anyStroke.map((given) => chordOf(given) ?? '') },
    { weight: 1, arbitrary: fc.constantFrom('1…9', 'Ctrl+1…9', 'Alt+1…9') },
  )
  .filter((text) => parseChord(text) !== null);
