/** DER (X.690), as far as certificates need it: values are written, never read. */

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (...numbers: readonly number[]): Bytes => Uint8Array.from(numbers);

function joined(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** Most significant byte first. */
function digits(value: number, base: number): number[] {
  return value < base ? [value] : [...digits(Math.floor(value / base), base), value % base];
}

function value(tag: number, ...parts: readonly Uint8Array[]): Bytes {
  const content = joined(parts);
  const { length } = content;
  const lengths = digits(length, 256);
  const header = length < 128 ? [length] : [0x80 | lengths.length, ...lengths];
  return joined([bytesOf(tag, ...header), content]);
}

const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);

function objectIdentifier(dotted: string): Bytes {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const encoded = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = digits(arc, 128);
    return groups.map((group, index) => (index === groups.length - 1 ? group : group | 0x80));
  });
  return value(0x06, bytesOf(...encoded));
}

/** To the second. Years before 2050 have two digits, as certificates want them (RFC 5280, 4.1.2.5). */
function time(milliseconds: number): Bytes {
  const written = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return Number(written.slice(0, 4)) < 2050
    ? value(0x17, text(written.slice(2)))
    : value(0x18, text(written));
}

export const der = {
  sequence: (...parts: readonly Uint8Array[]) => value(0x30, ...parts),
  set: (...parts: readonly Uint8Array[]) => value(0x31, ...parts),
  /** A positive one, most significant byte first. */
  integer: (...parts: readonly number[]) =>
    value(0x02, bytesOf(...((parts[0] ?? 0) > 127 ? [0, ...parts] : parts))),
  yes: () => value(0x01, bytesOf(0xff)),
  octets: (...parts: readonly Uint8Array[]) => value(0x04, ...parts),
  /** @param unused  how many of the last byte's bits do not count */
  bits: (bytes: Uint8Array, unused = 0) => value(0x03, bytesOf(unused), bytes),
  utf8: (characters: string) => value(0x0c, text(characters)),
  objectIdentifier,
  time,
  /** `[n]` around whole values. */
  tagged: (n: number, ...parts: readonly Uint8Array[]) => value(0xa0 | n, ...parts),
  /** `[n]` instead of the tag of a primitive value. */
  implicit: (n: number, bytes: Uint8Array) => value(0x80 | n, bytes),
  text,
};
