/** Takes a stream of chunks apart at places of one's own choosing. */

export type Bytes = AsyncGenerator<Uint8Array>;

/** All of what is small. */
export async function readWhole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

export interface ByteReader {
  /** So many bytes; fewer only where there are no more. For what is small. */
  readonly take: (length: number) => Promise<Uint8Array>;
  /** So many bytes as they come; fewer only where there are no more. */
  readonly pass: (length: number) => Bytes;
}

export function byteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let waiting: Uint8Array = new Uint8Array(0);

  async function* pass(length: number): Bytes {
    let left = length;
    while (left > 0) {
      if (waiting.length === 0) {
        const next = await chunks.next();
        if (next.done === true) return;
        waiting = next.value;
      }
      const part = waiting.subarray(0, left);
      waiting = waiting.subarray(part.length);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  }

  return {
    pass,
    take: (length) => readWhole(pass(length)),
  };
}
