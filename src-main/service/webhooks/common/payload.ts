/** What a service sent, read key by key: whatever is missing or of another type is named by its path. */
import { refusal } from '#shared/api/refusal.ts';

type Key = string | number;

const segmentsOf = (path: string): readonly Key[] =>
  path === '' ? [] : path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));

const join = (base: string, path: string): string =>
  path === '' || base === '' ? base + path : `${base}.${path}`;

function step(value: unknown, key: Key): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<Key, unknown>>)[key];
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * A value with the path that leads to it. Paths are keys and positions with dots between: `commits.0.author.name`; the
 * empty one is the value itself. What is absent and what is null are the same.
 */
export class Payload {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path = '') {
    this.#value = value;
    this.#path = path;
  }

  #find(path: string): unknown {
    return segmentsOf(path).reduce(step, this.#value) ?? undefined;
  }

  #refuse(path: string, wanted: string): never {
    const full = join(this.#path, path);
    if (full === '') throw refusal('payload_invalid', { expected: wanted });
    throw this.#find(path) === undefined
      ? refusal('payload_key_missing', { key: full })
      : refusal('payload_key_invalid', { key: full, expected: wanted });
  }

  #read<T>(path: string, wanted: string, is: (value: unknown) => value is T): T {
    const value = this.#find(path);
    return is(value) ? value : this.#refuse(path, wanted);
  }

  #maybe<T>(path: string, wanted: string, is: (value: unknown) => value is T): T | undefined {
    const value = this.#find(path);
    if (value === undefined || is(value)) return value;
    return this.#refuse(path, wanted);
  }

  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  /** The value as it is, to be looked at or printed whole. */
  raw(path = ''): unknown {
    return this.#find(path);
  }

  /** @throws BAD_REQUEST, as all that follow do */
  text(path: string): string {
    return this.#read(path, 'a string', (value) => typeof value === 'string');
  }

  /** A string that says something: empty is absent. */
  maybeText(path: string): string | undefined {
    const value = this.#maybe(path, 'a string', (found) => typeof found === 'string');
    return value === undefined || value.trim() === '' ? undefined : value;
  }

  /** A string, number or truth as text: services differ in how they write ids and amounts. */
  scalar(path: string): string {
    return String(this.#read(path, 'a string or a number', isScalar));
  }

  maybeScalar(path: string): string | undefined {
    const value = this.#maybe(path, 'a string or a number', isScalar);
    return value === undefined || value === '' ? undefined : String(value);
  }

  number(path: string): number {
    return this.#read(path, 'a number', (value) => typeof value === 'number');
  }

  maybeNumber(path: string): number | undefined {
    return this.#maybe(path, 'a number', (value) => typeof value === 'number');
  }

  /** False where it is absent. */
  flag(path: string): boolean {
    return this.#maybe(path, 'true or false', (value) => typeof value === 'boolean') ?? false;
  }

  #isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

  object(path: string): Payload {
    return new Payload(
      this.#read(path, path === '' ? 'a JSON object' : 'an object', this.#isObject),
      join(this.#path, path),
    );
  }

  maybeObject(path: string): Payload | undefined {
    const value = this.#maybe(path, 'an object', this.#isObject);
    return value === undefined ? undefined : new Payload(value, join(this.#path, path));
  }

  list(path: string): readonly Payload[] {
    const values = this.#read(path, 'a list', (value): value is unknown[] => Array.isArray(value));
    return values.map(
      (value, index) => new Payload(value, join(this.#path, join(path, `${index}`))),
    );
  }

  /** Empty where it is absent. */
  maybeList(path: string): readonly Payload[] {
    return this.has(path) ? this.list(path) : [];
  }

  /** The keys of an object. */
  keys(path: string): readonly string[] {
    return Object.keys(this.#read(path, 'an object', this.#isObject));
  }
}
