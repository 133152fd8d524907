/** Every name in a JSON schema, one line each: `messages[].flags[]`, with the words that may stand there. */

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isJson) : isJson(value) ? [value] : [];

const wordsOf = ({ enum: words, const: word }: Json): readonly unknown[] => [
  ...(Array.isArray(words) ? words : []),
  ...(typeof word === 'string' ? [word] : []),
];

function* linesOf(path: string, schema: Json): Generator<string> {
  for (const word of wordsOf(schema)) yield `${path} = ${String(word)}`;
  for (const [name, field] of Object.entries(
    isJson(schema['properties']) ? schema['properties'] : {},
  )) {
    const inner = path === '' ? name : `${path}.${name}`;
    yield inner;
    if (isJson(field)) yield* linesOf(inner, field);
  }
  for (const item of listOf(schema['items'])) yield* linesOf(`${path}[]`, item);
  for (const [at, item] of listOf(schema['prefixItems']).entries()) {
    yield* linesOf(`${path}[${String(at)}]`, item);
  }
  for (const value of listOf(schema['additionalProperties'])) yield* linesOf(`${path}.*`, value);
  for (const kind of ['anyOf', 'oneOf', 'allOf']) {
    for (const one of listOf(schema[kind])) yield* linesOf(path, one);
  }
}

/** @param path  what the lines begin with */
export const namesIn = (path: string, schema: Json): readonly string[] => [
  ...new Set(linesOf(path, schema)),
];

function* written(path: string, value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* written(`${path}[]`, each);
  } else if (isJson(value)) {
    for (const [name, field] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`;
      yield inner;
      yield* written(inner, field);
    }
  }
}

/** Every name in a value that was written as JSON. */
export const namesOf = (value: unknown): readonly string[] => [
  ...new Set([...written('', value)].sort()),
];
