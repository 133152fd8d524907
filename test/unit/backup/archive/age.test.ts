import { describe, expect, test, vi } from 'vitest';
import { createSealingKey, openStream, sealStream } from '#backup/archive/age.ts';
import type { Bytes } from '#backup/archive/byte-reader.ts';

const CHUNK = 64 * 1024;

async function* chunks(count: number, onEnd: () => void = () => undefined): Bytes {
  try {
    for (let at = 0; at < count; at += 1) yield new Uint8Array(CHUNK).fill(at);
  } finally {
    onEnd();
  }
}

async function* again(parts: readonly Uint8Array[], onEnd: () => void): Bytes {
  try {
    yield* parts;
  } finally {
    onEnd();
  }
}

async function all(bytes: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return parts;
}

describe('a sealed stream', () => {
  test('a sealed stream is as long as was said, and opens to what it was', async () => {
    const { identity, recipient } = await createSealingKey();
    const sealed = await sealStream(chunks(5), 5 * CHUNK, recipient);
    const parts = await all(sealed.bytes);
    expect(Buffer.concat(parts)).toHaveLength(sealed.sizeBytes);
    const opened = await openStream(
      again(parts, () => undefined),
      identity,
    );
    expect(Buffer.concat(await all(opened))).toEqual(Buffer.concat(await all(chunks(5))));
  });

  // Whatever is thrown past the reader would end the whole process, and fails this run.
  test('a sealed stream can be let go of at any place, and lets go of what it is read from', async () => {
    const { identity, recipient } = await createSealingKey();
    const parts = await all((await sealStream(chunks(8), 8 * CHUNK, recipient)).bytes);
    for (let round = 0; round < 20; round += 1) {
      let ended = 0;
      const opened = await openStream(
        again(parts, () => (ended += 1)),
        identity,
      );
      for (let taken = 0; taken <= round % 5; taken += 1) await opened.next();
      await opened.return(undefined);
      await vi.waitFor(() => expect(ended).toBe(1), { interval: 1 });
    }
    let ended = 0;
    const sealed = await sealStream(
      chunks(8, () => (ended += 1)),
      8 * CHUNK,
      recipient,
    );
    for await (const part of sealed.bytes) if (part.length > 0) break;
    await vi.waitFor(() => expect(ended).toBe(1), { interval: 1 });
  });
});
