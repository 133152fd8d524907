/** By what an office knows a message again that only members still have (API decisions 15.15). */
import type { MessageRow } from '#service/db/port.ts';

export type MessagePlace =
  | { readonly kind: 'stream'; readonly streamId: number; readonly topic: string }
  /** All participants, in any order. */
  | { readonly kind: 'private'; readonly userIds: readonly number[] };

/** What a MAC is of. */
export interface MacInput {
  readonly id: number;
  readonly senderId: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  readonly place: MessagePlace;
  /** As it was written. */
  readonly content: string;
  /** Which of its changes was the last one. */
  readonly editNumber: number;
}

export type ComputeTag = (about: string) => string;
/** The MAC of a message as clients keep it. */
export type ComputeMac = (row: MessageRow, participantIds: readonly number[]) => string;

const DIGITS = /^(0|[1-9]\d{0,15})\./;

function macTextOf({ id, senderId, sentAt, place, content, editNumber }: MacInput): string {
  const where =
    place.kind === 'stream'
      ? [place.streamId, place.topic]
      : [[...new Set(place.userIds)].sort((a, b) => a - b)];
  return JSON.stringify([id, senderId, sentAt, where, content, editNumber]);
}

const macOf = (message: MacInput, computeTag: ComputeTag): string =>
  `${String(message.editNumber)}.${computeTag(macTextOf(message))}`;

export const macFunctionOf =
  (computeTag: ComputeTag): ComputeMac =>
  (row, participantIds) =>
    macOf(
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
      computeTag,
    );

/** The number of the change that a right MAC speaks of; undefined where it proves nothing. */
export function verifiedEditNumber(
  message: Omit<MacInput, 'editNumber'>,
  mac: string,
  {
    sign: computeTag,
    isEqual,
  }: { readonly sign: ComputeTag; readonly isEqual: (a: string, b: string) => boolean },
): number | undefined {
  const digits = DIGITS.exec(mac)?.[1];
  if (digits === undefined) return undefined;
  const editNumber = Number(digits);
  return isEqual(macOf({ ...message, editNumber }, computeTag), mac) ? editNumber : undefined;
}
