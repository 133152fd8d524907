import { expect, test } from 'vitest';
import { terminalLine } from '#node/terminal.ts';

test('a line has no character that moves a cursor, begins a line or turns the direction round, and everything else', () => {
  const controls = [
    ...Array.from({ length: 0x20 }, (_, code) => code),
    ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
    ...[0x061c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2028, 0x2029, 0x2066, 0x2069, 0xd800, 0xdfff],
  ].map((code) => String.fromCharCode(code));
  for (const control of controls) {
    const line = terminalLine(`a${control}b`);
    expect(line).toMatch(/^a\\u[0-9a-f]{4}b$/);
    // As JSON it says the same as before.
    const json = JSON.stringify({ name: control });
    expect(JSON.parse(terminalLine(json))).toEqual({ name: control });
  }
  const whole = 'Büro 東京 مكتب 👩‍💻 c:\\users\\u001b';
  expect(terminalLine(whole)).toBe(whole);
});
