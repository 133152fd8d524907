/** Lists of events as answers. */
import { memoized } from '../core/cache/attached.ts';
import { Serialized } from '../core/ports/handlers.ts';
import { variationOf } from './shared-variants.ts';

const encoder = new TextEncoder();

/** Queues that are told the same share the list, and so its bytes. */
const bytesOf = memoized((texts: readonly string[]) => encoder.encode(`[${texts.join(',')}]}`));

/** Where each text begins in the bytes, and where one behind the last one would. */
const startsOf = memoized((texts: readonly string[]): readonly number[] => {
  let next = 1;
  return [next, ...texts.map((text) => (next += Buffer.byteLength(text) + 1))];
});

/** Of a list that differs from a shared one only the places where it does are put into bytes. */
function piecesOf(texts: readonly string[]): readonly Uint8Array[] {
  const { of, at } = variationOf(texts) ?? { of: texts, at: [] };
  const bytes = bytesOf(of);
  if (at.length === 0) return [bytes];
  const startsAt = startsOf(of);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const index of at) {
    pieces.push(bytes.subarray(from, startsAt[index]), encoder.encode(texts[index]));
    // What stands between it and the next one, or ends the list, is the same.
    from = (startsAt[index + 1] ?? 0) - 1;
  }
  pieces.push(bytes.subarray(from));
  return pieces;
}

/** Up to here one text costs less than several pieces, even where these are there already. */
export const SHORT_CHARACTERS = 4096;

function isShort(texts: readonly string[]): boolean {
  let characters = 0;
  for (const { length } of texts) characters += length;
  return characters <= SHORT_CHARACTERS;
}

/**
 * An object whose last member is a list of events.
 * @param head  its JSON up to there
 */
export const serializedList = (head: string, texts: readonly string[]): Serialized =>
  isShort(texts)
    ? new Serialized(`${head}[${texts.join(',')}]}`)
    : new Serialized(head, piecesOf(texts));
