/** Values for arguments: plausible ones made from the JSON schema of a codec, and hostile ones. */
import { attacksIn, textOf as textOfAttack } from '../adversarial/attacks.ts';
import type { Random } from '../random.ts';

/** As much of JSON schema as the codecs use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** What exists in a development organization, and what does not. */
const words: Readonly<Record<string, readonly string[]>> = {
  email: ['ben@example.com', 'cleo@example.com', 'gus@example.com', 'new@example.com'],
  stream: ['general', 'engineering', 'leads', 'nowhere'],
  topic: ['lunch', 'LUNCH', 'nothing yet'],
  content: ['hello', '@**all** look', 'a `b` **c** https://example.com :tada: #**general>lunch**'],
  emoji: ['tada', '+1', 'party', '1f389'],
  flag: ['read', 'starred', 'collapsed', 'mentioned', 'sparkling'],
  name: ['general', 'Ben Member', 'fresh', 'x'],
  words: ['lunch', 'soup'],
  upload: ['begun-by-ada', 'begun-by-ben', 'gone'],
};

const any = Object.values(words).flat();

const kinds: readonly (readonly [RegExp, string])[] = [
  [/mail|username|^to$|principal/, 'email'],
  [/stream/, 'stream'],
  [/topic|subject/, 'topic'],
  [/content/, 'content'],
  [/emoji/, 'emoji'],
  [/flag/, 'flag'],
  [/name/, 'name'],
  [/word/, 'words'],
  [/upload/, 'upload'],
];

const integers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, -1, 100, 200, 600, 5000, 99_999];

function plausibleText(random: Random, name: string): string {
  const kind = kinds.find(([pattern]) => pattern.test(name))?.[1];
  return random.chance(0.85)
    ? random.pick((kind === undefined ? undefined : words[kind]) ?? any)
    : random.pick(any);
}

function plausibleObject(random: Random, name: string, schema: Schema): object {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    schema.required?.includes(key) === true || random.chance(0.5)
      ? [[key, plausible(random, key || name, property)] as const]
      : [],
  );
  return Object.fromEntries(entries);
}

function plausibleArray(random: Random, name: string, schema: Schema): unknown[] {
  if (schema.prefixItems !== undefined) {
    return schema.prefixItems.map((item) => plausible(random, name, item));
  }
  const { items = {} } = schema;
  return Array.from({ length: random.below(4) }, () => plausible(random, name, items));
}

/** A decoded value of the shape that a codec documents. */
export function plausible(random: Random, name: string, schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return plausible(random, name, random.pick(choices));
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'integer':
    case 'number':
      return random.pick(integers);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return plausibleArray(random, name, schema);
    case 'object':
      return plausibleObject(random, name, schema);
    default:
      return plausibleText(random, name);
  }
}

const huge = 'x'.repeat(20_000);

/** Text as it is put into a parameter, whatever the parameter is. */
const hostileTexts: readonly string[] = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  'true',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"a":{}}',
  '"quoted"',
  '"\\ud800"',
  '12.5',
  '1e999',
  '-1',
  '0',
  '9007199254740993',
  '99999999999999999999999999',
  '-99999999999999999999999999',
  '0x10',
  '１２',
  huge,
  `[${'1,'.repeat(6000)}1]`,
  `["${huge}"]`,
  '['.repeat(5000),
  `${'['.repeat(30)}${']'.repeat(30)}`,
  `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  "'; DROP TABLE message; --",
  '" OR "" = "',
  '%00',
  '\0',
  'a\0b',
  '\u202egnp.exe',
  '\ufeffbom',
  '😀'.repeat(61),
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  '*:*',
  'NEAR(a b)',
  '<script>alert(1)</script>',
  '@**all**'.repeat(300),
  '`'.repeat(500),
  '> '.repeat(400),
  '*'.repeat(1000),
  'line\nbreak\r\nand\tmore',
  '[{"operator":"stream","operand":{}}]',
  '[{"operator":"search","operand":"\\"unclosed"}]',
  '[["search","AND OR NOT * ^"]]',
  '[{"name":"general"},{"name":7}]',
  '{"__proto__":{"x":1},"constructor":1}',
];

const attacks = attacksIn('src-main');

/** About so many characters that are hard on some expression of the sources. */
export const adversarialText = (random: Random, length: number): string =>
  textOfAttack(random.pick(attacks), length, random.below(2));

export const hostileText = (random: Random): string => {
  if (random.chance(0.1)) return adversarialText(random, random.below(4000));
  if (random.chance(0.8)) return random.pick(hostileTexts);
  const length = random.below(200);
  return Array.from({ length }, () => String.fromCharCode(random.below(0x3000))).join('');
};

/** JSON values as members of a JSON body. */
export const hostileValue = (random: Random): unknown =>
  random.pick<unknown>([
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    '',
    huge,
    [],
    {},
    [[]],
    [null],
    [{}],
    { length: 3 },
    Array.from({ length: 5001 }, () => 1),
    hostileText(random),
  ]);

/** A value in its text form. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
