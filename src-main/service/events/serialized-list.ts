/** Lists of events as answers. */
import { Serialized } from '../ports/handlers.ts';
import { variationOf } from './variations.ts';

const encoder = new TextEncoder();
const encoded = new WeakMap<readonly string[], Uint8Array>();
const starts = new WeakMap<readonly string[], readonly number[]>();

/** Queues that are told the same share the list, and so its bytes. */
function bytesOf(texts: readonly string[]): Uint8Array {
  const known = encoded.get(texts);
  if (known !== undefined) return known;
  const bytes = encoder.encode(`[${texts.join(',')}]}`);
  encoded.set(texts, bytes);
  return bytes;
}

/** Where each text begins in the bytes, and where one behind the last one would. */
function startsOf(texts: readonly string[]): readonly number[] {
  const known = starts.get(texts);
  if (known !== undefined) return known;
  let next = 1;
  const found = [next];
  for (const text of texts) found.push((next += Buffer.byteLength(text) + 1));
  starts.set(texts, found);
  return found;
}

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
const SHORT_CHARACTERS = 4096;

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
