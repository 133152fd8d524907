/** What a text says once it is decoded, with the place in the text that each byte came from. */

/** UTF-8. Byte `i` stands in the text from byte `from[i]` up to, not including, byte `to[i]`. */
export interface View {
  readonly bytes: Uint8Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

type Decode = (view: View) => View | undefined;

class Builder {
  readonly #bytes: Uint8Array;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#from = new Uint32Array(capacity);
    this.#to = new Uint32Array(capacity);
  }

  /** A byte that the bytes `first` to `last` of a view stand for. */
  add(byte: number, { from, to }: View, [first, last]: readonly [number, number]): void {
    this.#bytes[this.#length] = byte;
    this.#from[this.#length] = from[first] ?? 0;
    this.#to[this.#length] = to[last] ?? 0;
    this.#length += 1;
  }

  get view(): View {
    return {
      bytes: this.#bytes.subarray(0, this.#length),
      from: this.#from.subarray(0, this.#length),
      to: this.#to.subarray(0, this.#length),
    };
  }
}

function viewOf(text: string): View {
  const bytes = new TextEncoder().encode(text);
  const from = Uint32Array.from(bytes, (_, index) => index);
  return { bytes, from, to: from.map((index) => index + 1) };
}

const code = (character: string): number => character.charCodeAt(0);
const [PERCENT, PLUS, SPACE, BACKSLASH] = [code('%'), code('+'), code(' '), code('\\')];

function hexDigit(byte: number | undefined): number {
  const digit = Number.parseInt(String.fromCharCode(byte ?? 0), 16);
  return Number.isNaN(digit) ? -1 : digit;
}

/** The number that `count` hexadecimal digits from `at` on say; -1 where something else is. */
function hexAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index += 1) {
    const digit = hexDigit(bytes[index]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

const percent: Decode = (view) => {
  const { bytes } = view;
  if (!bytes.includes(PERCENT)) return undefined;
  const decoded = new Builder(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const value = byte === PERCENT ? hexAt(bytes, at + 1, 2) : -1;
    const end = value < 0 ? at : at + 2;
    decoded.add(value < 0 ? byte : value, view, [at, end]);
    at = end;
  }
  return decoded.view;
};

const withSpaces = (view: View): View => ({
  ...view,
  bytes: view.bytes.map((byte) => (byte === PLUS ? SPACE : byte)),
});

/** Without a plus it says what `percent` does. */
const form: Decode = (view) => {
  if (!view.bytes.includes(PLUS)) return undefined;
  const spaced = withSpaces(view);
  return percent(spaced) ?? spaced;
};

const ESCAPES = new Map(
  Object.entries({
    '"': '"',
    '\\': '\\',
    '/': '/',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
  }).map(([written, meant]) => [code(written), code(meant)]),
);
const LETTER_U = code('u');
const ESCAPE_LENGTH = 6;
const encoder = new TextEncoder();

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

const unitAt = (bytes: Uint8Array, at: number): number =>
  bytes[at] === BACKSLASH && bytes[at + 1] === LETTER_U ? hexAt(bytes, at + 2, 4) : -1;

interface Escape {
  readonly bytes: Iterable<number>;
  readonly length: number;
}

function escapeAt(bytes: Uint8Array, at: number): Escape | undefined {
  const simple = ESCAPES.get(bytes[at + 1] ?? 0);
  if (simple !== undefined) return { bytes: [simple], length: 2 };
  const unit = unitAt(bytes, at);
  if (unit < 0) return undefined;
  const next = isHigh(unit) ? unitAt(bytes, at + ESCAPE_LENGTH) : -1;
  const [units, count] = isLow(next) ? [[unit, next], 2] : [[unit], 1];
  return {
    bytes: encoder.encode(String.fromCharCode(...units)),
    length: count * ESCAPE_LENGTH,
  };
}

const json: Decode = (view) => {
  const { bytes } = view;
  if (!bytes.includes(BACKSLASH)) return undefined;
  const decoded = new Builder(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const escape = byte === BACKSLASH ? escapeAt(bytes, at) : undefined;
    const end = at + (escape?.length ?? 1) - 1;
    for (const each of escape?.bytes ?? [byte]) decoded.add(each, view, [at, end]);
    at = end;
  }
  return decoded.view;
};

/** Of both alphabets; -1 for what is in none. */
const sextets = new Int8Array(256).fill(-1);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
Array.from(`${LETTERS}+/`).forEach((letter, value) => (sextets[code(letter)] = value));
Array.from(`${LETTERS}-_`).forEach((letter, value) => (sextets[code(letter)] = value));
const LINE_ENDS: ReadonlySet<number> = new Set([code('\r'), code('\n')]);
/** Of fewer bytes a secret has none. */
const MIN_RUN = 6;

/** The places of the letters of each run of base64, over the ends of its lines. */
function* runsOf(bytes: Uint8Array): Generator<readonly number[]> {
  let run: number[] = [];
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== undefined && (sextets[byte] ?? -1) >= 0) run.push(at);
    else if (byte === undefined || !LINE_ENDS.has(byte)) {
      if (run.length >= MIN_RUN) yield run;
      run = [];
    }
  }
}

/** Each run four times, because what stands before its first letter may be of the alphabet, too. */
const base64: Decode = (view) => {
  const { bytes } = view;
  const decoded = new Builder(4 * bytes.length);
  for (const run of runsOf(bytes)) {
    const sextet = (index: number): number => sextets[bytes[run[index] ?? 0] ?? 0] ?? 0;
    for (let offset = 0; offset < 4; offset += 1) {
      for (let index = offset; index + 1 < run.length; index += 1) {
        const bits = 2 * ((index - offset) % 4);
        // The fourth letter of a group begins no byte.
        if (bits === 6) continue;
        const byte = ((sextet(index) << (2 + bits)) | (sextet(index + 1) >> (4 - bits))) & 0xff;
        decoded.add(byte, view, [run[index] ?? 0, run[index + 1] ?? 0]);
      }
      // Nothing is found across runs.
      const last = run.at(-1) ?? 0;
      decoded.add(0, view, [last, last]);
    }
  }
  return decoded.view.bytes.length === 0 ? undefined : decoded.view;
};

const plain: readonly Decode[] = [percent, form, json];

const decode = (views: readonly View[], decoders: readonly Decode[]): readonly View[] =>
  views.flatMap((view) => decoders.flatMap((each) => each(view) ?? []));

/** The text itself, and what it says decoded once or twice. */
export function plainViewsOf(text: string): readonly View[] {
  const once = decode([viewOf(text)], plain);
  return [viewOf(text), ...once, ...decode(once, plain)];
}

/** The same, with what stands there in base64, which may be encoded or encode something itself. */
export function viewsOf(text: string): readonly View[] {
  const itself = viewOf(text);
  const once = decode([itself], plain);
  const encoded = decode([itself, ...once], [base64]);
  return [itself, ...once, ...decode(once, plain), ...encoded, ...decode(encoded, plain)];
}
