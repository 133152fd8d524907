/**
 * A page of messages as an answer. Put into bytes piece by piece it is a tenth quicker than as one list of texts, and holds
 * nobody up at its end.
 */
import type { PageBounds } from '#service/features/reading/operations/message-pages.ts';
import type { PageMessage } from '#service/features/reading/operations/page-messages.ts';
import { SHORT_CHARACTERS } from '#service/events/serialized-list.ts';
import { Serialized } from '#service/core/ports/handlers.ts';

/** A list of messages as JSON. */
type PagePiece = string | Uint8Array;

const COMMA = 0x2c;
const end = Buffer.from(']}');

/** Put together in one step: a text for each message would be copied twice. */
function listText(messages: readonly PageMessage[]): string {
  if (messages.every(({ shared }) => shared === null))
    return JSON.stringify(messages.map(({ own }) => own));
  const pieces: string[] = [];
  for (const { shared, own } of messages) {
    pieces.push(pieces.length === 0 ? '[' : ',');
    if (shared === null) pieces.push(JSON.stringify(own));
    else pieces.push(shared, ',', own, '}');
  }
  return `${pieces.join('')}]`;
}

/** What is long is put into bytes now, while others wait for this piece alone, and not with all the others. */
export function pagePiece(messages: readonly PageMessage[]): PagePiece {
  const json = listText(messages);
  return json.length <= SHORT_CHARACTERS ? json : Buffer.from(json);
}

/** @param pieces  as `pagePiece` makes them, none of them empty; they belong to the answer from now on */
export function serializedPage(bounds: PageBounds, pieces: readonly PagePiece[]): Serialized {
  const head = `{"result":"success","msg":"",${JSON.stringify(bounds).slice(1, -1)},"messages":`;
  const [first = '[]'] = pieces;
  if (pieces.length < 2 && typeof first === 'string') return new Serialized(`${head}${first}}`);
  const tail = pieces.map((piece, index) => {
    const list = typeof piece === 'string' ? Buffer.from(piece) : piece;
    if (index > 0) list[0] = COMMA;
    return list.subarray(0, -1);
  });
  return new Serialized(head, [...tail, end]);
}
