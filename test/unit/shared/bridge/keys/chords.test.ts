import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceleratorOf, chordOfAccelerator } from '#shared/bridge/keys/accelerators.ts';
import {
  chordOf,
  digitOf,
  formatChord,
  isSingleKey,
  isStroke,
  meaningsOf,
  overlap,
  parseChord,
  type Stroke,
} from '#shared/bridge/keys/chords.ts';
import { anyChord, anyStroke, stroke } from '#test/support/window/strokes.ts';

describe('a chord', () => {
  test.each([
    ['K', { key: 'K' }],
    ['Ctrl+K', { key: 'K', hasCtrl: true }],
    ['Ctrl+Alt+Shift+ArrowUp', { key: 'ArrowUp', hasCtrl: true, hasAlt: true, hasShift: true }],
    ['+', { key: '+' }],
    ['Ctrl++', { key: '+', hasCtrl: true }],
    ['Ctrl+Shift+.', { key: '.', hasCtrl: true, hasShift: true }],
    ['Ctrl+1…9', { key: '1…9', hasCtrl: true }],
    ['Shift+É', { key: 'É', hasShift: true }],
    ['F24', { key: 'F24' }],
    ['ß', { key: 'ß' }],
  ])('%s is read as %j', (text, parts) => {
    const none = { hasCtrl: false, hasAlt: false, hasShift: false };
    expect(parseChord(text)).toEqual({ ...none, ...parts });
  });

  test.each([
    '',
    'k',
    'Ctrl',
    'Ctrl+',
    'Shift+Ctrl+K',
    'Ctrl+Ctrl+K',
    'Meta+K',
    'Shift+?',
    'Ctrl+KK',
    ' ',
    'F25',
    'Dead',
    'Control',
    'Ctrl + K',
    '\u0000',
    '__proto__',
  ])('%j is none', (text) => {
    expect(parseChord(text)).toBeNull();
  });

  test('a chord is written as it was read', () => {
    fc.assert(
      fc.property(anyChord, (text) => {
        const chord = parseChord(text);
        expect(chord === null ? null : formatChord(chord)).toBe(text);
      }),
    );
  });

  test('whatever text it is read from, it is that text or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const chord = parseChord(text);
        if (chord !== null) expect(formatChord(chord)).toBe(text);
      }),
    );
  });

  test.each([
    ['C', true],
    ['Shift+I', true],
    ['?', true],
    ['1…9', true],
    ['Ctrl+C', false],
    ['Alt+P', false],
    ['F6', false],
    ['Shift+Escape', false],
    ['Space', false],
  ])('%s is text in a field: %s', (text, expected) => {
    expect(isSingleKey(text)).toBe(expected);
  });
});

describe('what is pressed', () => {
  const at = (code: string, given: Stroke): Stroke => ({ ...given, code });

  test.each([
    [stroke('k', 'ctrl'), 'Ctrl+K'],
    [stroke('K', 'meta', 'shift'), 'Ctrl+Shift+K'],
    [stroke('?', 'shift'), '?'],
    [stroke('%', 'ctrl', 'shift'), 'Ctrl+%'],
    [stroke(' '), 'Space'],
    [stroke('ArrowDown', 'alt', 'shift'), 'Alt+Shift+ArrowDown'],
    [at('Period', stroke('>', 'ctrl', 'shift')), 'Ctrl+Shift+.'],
    [at('Period', stroke('>', 'shift')), '>'],
    [at('KeyP', stroke('π', 'alt')), 'Alt+P'],
    [at('KeyN', stroke('Dead', 'alt')), 'Alt+N'],
    [at('Digit5', stroke('∞', 'alt')), 'Alt+5'],
    [at('KeyQ', stroke('a', 'alt')), 'Alt+A'],
    [stroke('с', 'ctrl'), 'Ctrl+С'],
    [at('KeyC', stroke('с', 'ctrl')), 'Ctrl+C'],
    [at('Period', stroke('Ю', 'shift')), '>'],
    [at('Digit7', stroke('۷', 'ctrl')), 'Ctrl+7'],
    [at('KeyZ', stroke('y', 'ctrl')), 'Ctrl+Y'],
    [at('Digit2', stroke('é', 'ctrl')), 'Ctrl+É'],
    [stroke('Control', 'ctrl'), null],
    [stroke('Dead'), null],
    [stroke('Unidentified'), null],
    [stroke('AudioVolumeUp'), null],
  ])('%o is %s', (given, chord) => {
    expect(chordOf(given)).toBe(chord);
  });

  test('a stroke matches its own chord, and what matches two chords is told by their overlap', () => {
    fc.assert(
      fc.property(anyStroke, anyChord, anyChord, (pressed, one, other) => {
        const given = meaningsOf(pressed).at(-1) ?? pressed;
        const own = chordOf(given);
        if (own !== null) {
          expect(isStroke(own, given)).toBe(true);
          if (isStroke(one, given)) expect(overlap(one, own)).toBe(true);
        }
        if (isStroke(one, given) && isStroke(other, given)) expect(overlap(one, other)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['Ctrl+1…9', 'Ctrl+5', true],
    ['Ctrl+5', 'Ctrl+1…9', true],
    ['Ctrl+1…9', 'Ctrl+0', false],
    ['Ctrl+1…9', 'Alt+5', false],
    ['Ctrl+.', 'Ctrl+Shift+.', false],
    ['I', 'Shift+I', false],
    ['I', 'I', true],
  ])('%s and %s have keys in common: %s', (one, other, expected) => {
    expect(overlap(one, other)).toBe(expected);
    expect(overlap(other, one)).toBe(expected);
  });

  test('a digit is known whatever Alt makes of it', () => {
    expect(digitOf(stroke('7', 'ctrl'))).toBe(7);
    expect(digitOf({ ...stroke('¶', 'alt'), code: 'Digit7' })).toBe(7);
    expect(digitOf({ ...stroke('۷', 'ctrl'), code: 'Digit7' })).toBe(7);
    expect(digitOf(stroke('0', 'ctrl'))).toBeUndefined();
    expect(digitOf(stroke('q'))).toBeUndefined();
  });
});

describe('an accelerator of menus', () => {
  test.each([
    ['Ctrl+Shift+K', 'CmdOrCtrl+Shift+K'],
    ['Alt+ArrowLeft', 'Alt+Left'],
    ['Ctrl++', 'CmdOrCtrl+Plus'],
    ['Shift+Escape', 'Shift+Esc'],
    ['?', '?'],
  ])('%s is %s, and back', (chord, accelerator) => {
    expect(acceleratorOf(chord)).toBe(accelerator);
    expect(chordOfAccelerator(accelerator)).toBe(chord);
  });

  test.each(['Ctrl+1…9', 'Ctrl+É', 'no chord'])('there is none for %s', (chord) => {
    expect(acceleratorOf(chord)).toBeUndefined();
  });

  test.each([
    ['ctrl+alt+h', 'Ctrl+Alt+H'],
    ['Shift+CommandOrControl+F5', 'Ctrl+Shift+F5'],
    ['Super+H', 'Super+H'],
    ['Nonsense', 'Nonsense'],
  ])('what somebody wrote, %s, is shown as %s', (written, shown) => {
    expect(chordOfAccelerator(written)).toBe(shown);
  });
});
