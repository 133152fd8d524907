/** By what an office knows a message again that only members still have (API decisions 15.15). */
import type { MessageRow } from '#service/db/port.ts';

export type ProvenPlace =
  | { readonly kind: 'stream'; readonly streamId: number; readonly topic: string }
  /** All participants, in any order. */
  | { readonly kind: 'private'; readonly userIds: readonly number[] };

/** What a proof is of. */
export interface Provable {
  readonly id: number;
  readonly senderId: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  readonly place: ProvenPlace;
  /** As it was written. */
  readonly content: string;
  /** Which of its changes was the last one. */
  readonly editNumber: number;
}

export type Sign = (about: string) => string;
/** The proof of a message as clients keep it. */
export type Prove = (row: MessageRow, participantIds: readonly number[]) => string;

const DIGITS = /^(0|[1-9]\d{0,15})\./;

function aboutOf({ id, senderId, sentAt, place, content, editNumber }: Provable): string {
  const where =
    place.kind === 'stream'
      ? [place.streamId, place.topic]
      : [[...new Set(place.userIds)].sort((a, b) => a - b)];
  return JSON.stringify([id, senderId, sentAt, where, content, editNumber]);
}

const proofOf = (message: Provable, sign: Sign): string =>
  `${String(message.editNumber)}.${sign(aboutOf(message))}`;

export const proving =
  (sign: Sign): Prove =>
  (row, participantIds) =>
    proofOf(
      {
        id: row.id,
        senderId: row.sender_id,
        sentAt: row.sent_at,
        place:
          row.stream_id === null
            ? { kind: 'private', userIds: participantIds }
            : { kind: 'stream', streamId: row.stream_id, topic: row.topic ?? '' },
        content: row.content,
        editNumber: row.edit_number,
      },
      sign,
    );

/** The number of the change that a right proof speaks of; undefined where it proves nothing. */
export function provenNumber(
  message: Omit<Provable, 'editNumber'>,
  proof: string,
  { sign, isEqual }: { readonly sign: Sign; readonly isEqual: (a: string, b: string) => boolean },
): number | undefined {
  const digits = DIGITS.exec(proof)?.[1];
  if (digits === undefined) return undefined;
  const editNumber = Number(digits);
  return isEqual(proofOf({ ...message, editNumber }, sign), proof) ? editNumber : undefined;
}
