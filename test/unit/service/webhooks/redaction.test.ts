/** What is taken out of a delivery that is kept (API decisions 15.12): in whatever place and form a secret comes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '#service/webhooks/redaction/redact.ts';
import { cpuMsOf } from '#test/support/cpu.ts';
import { shortOrLong } from '#test/support/long.ts';

const percentAll = (text: string): string =>
  Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).padStart(2, '0')}`,
  ).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Each writes a text in another way. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  itself: (text) => text,
  'percent-encoded': (text) => encodeURIComponent(text),
  'percent-encoded in small letters': percentAll,
  'percent-encoded in capitals': (text) => percentAll(text).toUpperCase(),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(`${text}%`)),
  'in a form': (text) => new URLSearchParams({ a: text }).toString(),
  'in JSON': (text) => JSON.stringify(text),
  'in JSON in JSON': (text) => JSON.stringify(JSON.stringify({ a: text })),
  'in JSON of ASCII': (text) =>
    JSON.stringify(text).replace(
      /[^\x20-\x7e]|\//g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'in JSON in a form': (text) => new URLSearchParams({ p: JSON.stringify([text]) }).toString(),
  'base64, first': base64,
  'base64, behind one byte': (text) => base64(`u${text}`),
  'base64, behind two bytes': (text) => base64(`u:${text}:x`),
  base64url: (text) => Buffer.from(`a${text}bc`).toString('base64url'),
  'base64 in a form': (text) => new URLSearchParams({ a: base64(`:${text}`) }).toString(),
  'JSON in base64': (text) => base64(JSON.stringify({ data: text })),
};

/** What a text says in each way that somebody would look for a secret in it. */
function readings(text: string): readonly string[] {
  const unescaped = text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const simple = unescaped.replace(/\\(["\\/])/g, '$1');
  const percent = (each: string): string =>
    Buffer.from(
      each.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
      'latin1',
    ).toString();
  const runs = (text.match(/[\w+/-]{6,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64').toString()),
  );
  const all = [text, unescaped, simple, percent(text), percent(percent(text)), ...runs];
  return [...all, ...all.map((each) => each.replaceAll('+', ' '))];
}

const letters = fc.constantFrom(...Array.from('abcXYZ019-_.~+/=%&"\\ é漢😀'));
const secrets = fc
  .array(letters, { minLength: 8, maxLength: 40 })
  .map((each) => `S${each.join('')}e`)
  .filter((secret) => !/ {2}/.test(secret));
const names = fc.constantFrom('authorization', 'token', 'api_key', 'apiKey', 'client_secret');
const noise = fc.string({
  maxLength: 20,
  unit: fc.constantFrom(...Array.from('abc xyz:/?&="\\%{}')),
});

/** Places in which senders name a secret. */
const named: readonly ((name: string, secret: string) => string)[] = [
  (name, secret) => JSON.stringify({ a: { [name]: secret } }),
  (name, secret) => JSON.stringify({ list: [{ headers: [{ name, value: secret }] }] }),
  (name, secret) => JSON.stringify({ [name]: { deep: [1, secret] } }),
  (name, secret) => `x=1&${new URLSearchParams({ [name]: secret }).toString()}&y=2`,
  (name, secret) =>
    JSON.stringify({ url: `https://a.example/?${name}=${encodeURIComponent(secret)}` }),
  (name, secret) => new URLSearchParams({ payload: JSON.stringify({ [name]: secret }) }).toString(),
];

describe('no secret is kept', () => {
  test('no secret is found in what is kept, wherever it is named and however it recurs [redaction.no-secret-found]', () => {
    const recurring = fc.constantFrom(...Object.entries(encodings));
    const places = fc.constantFrom(...named);
    fc.assert(
      fc.property(
        secrets,
        fc.tuple(names, places),
        fc.array(recurring, { maxLength: 5 }),
        noise,
        (secret, [name, place], forms, around) => {
          const others = forms.map(([, encode]) => `${around}\n${encode(secret)}\n${around}`);
          const kept = redact([place(name, secret), ...others], []);
          expect(kept).toBeDefined();
          for (const text of kept ?? []) {
            for (const reading of readings(text)) expect(reading).not.toContain(secret);
          }
        },
      ),
      { numRuns: shortOrLong(300, 20_000) },
    );
  });

  test.each(Object.entries(encodings))('a known secret goes %s', (_, encode) => {
    for (const secret of ['Ab3+/d?~Zx09==', 'quiet "water" & más', 'abcdefgh', 'S\\nnn%41"漢😀']) {
      const [kept = ''] = redact([`before ${encode(secret)} behind`], [secret]) ?? [];
      for (const reading of readings(kept)) expect(reading).not.toContain(secret);
      expect(kept).toContain('[redacted]');
      expect(kept).toMatch(/^before .* behind$/);
    }
  });
});

test('four times the text takes at most six times as long, whatever it is made of', () => {
  const units = [
    ...['"token":"', '"token":{', '{"a":{', '"name":"', 'token=', 'authorization: ', '%25', '%41+'],
    ...[
      '\\u0041\\',
      'QUJD',
      '"token":"aaaa",',
      'token=abcd&',
      ' ',
      '[',
      '":',
      'a.',
      '\\"token\\":',
    ],
  ];
  const letters = 16_384;
  const textOf = (unit: string, length: number): string =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const median = (work: () => void): number =>
    Array.from({ length: 5 }, () => cpuMsOf(work)).sort((a, b) => a - b)[2] ?? 0;
  for (const unit of units) {
    const [once, fourTimes] = [letters, 4 * letters].map((length) => {
      const text = textOf(unit, length);
      const known = [textOf(unit, length / 8), `${textOf('a', 500)}b`];
      return median(() => void redact([text, textOf('a', length)], known));
    });
    // What takes no time is measured as noise.
    expect((fourTimes ?? 0) / Math.max(once ?? 0, 20), unit).toBeLessThanOrEqual(6);
  }
});
