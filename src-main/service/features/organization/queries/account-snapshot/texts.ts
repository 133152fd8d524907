/** Texts of messages that somebody changed, or moved to where others read: the account snapshot has none of them, only which. */
import { noMarks } from '#shared/api/models/message-marks.ts';
import { setContent } from '#service/features/messages/queries/message-edits.ts';
import { findOne, list, listColumn, type Operation, run } from '#service/db/operation.ts';
import type { StreamsSnapshot } from './streams.ts';

/**
 * A message, and the number of a change of it. Where it was moved, the stream in which it is now: the text of a copy is
 * withheld then where that stream is private.
 */
export type ChangedText = readonly [messageId: number, editNumber: number, streamId?: number];

/** How many numbers of changes one part has: a part that is full is never written again. */
const PART_SIZE = 4096;

const IS_CLOSING = '(e.prev_content IS NOT NULL OR e.prev_stream_id IS NOT NULL)';
const LIST_PARTS = `SELECT DISTINCT e.id / ${String(PART_SIZE)} AS part FROM message_edit e
  WHERE e.id >= :firstId AND ${IS_CLOSING} ORDER BY part`;
/** Of a message that came back the number is that of before the restore. */
const LIST_EDITS = `SELECT m.id, MIN(e.id, m.edit_number) AS number,
    CASE WHEN e.prev_content IS NULL THEN s.id END AS stream_id
  FROM message_edit e JOIN message m ON m.id = e.message_id LEFT JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE e.id >= :firstId AND e.id < :endId AND ${IS_CLOSING} ORDER BY e.id`;

const SUPERSEDE = `INSERT INTO superseded_text (message_id, edit_number)
  SELECT o.id, MAX(o.number) FROM (SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS number
    FROM json_each(:edits)) o
  LEFT JOIN message m ON m.id = o.id WHERE m.id IS NULL OR m.edit_number < o.number GROUP BY o.id
  ON CONFLICT (message_id) DO UPDATE SET edit_number = MAX(edit_number, excluded.edit_number)`;
const LIST_STALE = `SELECT m.id FROM superseded_text t CROSS JOIN message m ON m.id = t.message_id
  WHERE m.edit_number < t.edit_number ORDER BY m.id`;
const NEWEST = 'SELECT COALESCE(MAX(id), 0) AS id FROM message_edit';

const WITHHELD =
  'This message was changed after the backup from which the organization was restored. It can be read again once somebody gives its last version back.';

const withheld = {
  content: `*${WITHHELD}*`,
  rendered: `<p><em>${WITHHELD}</em></p>`,
  ...noMarks,
  mentionedUserIds: [],
} as const;

interface EditRow {
  readonly id: number;
  readonly number: number;
  readonly stream_id: number | null;
}

export const changedTextReads = {
  /** The number of the newest change of any message that is here; 0 before the first. */
  *findNewestEditId(): Operation<number> {
    return (yield* findOne<{ id: number }>(NEWEST))?.id ?? 0;
  },
  /** The parts in which there are changes, from that of the given one on. */
  *listEditParts(fromEditId: number): Operation<readonly number[]> {
    const firstId = fromEditId - (fromEditId % PART_SIZE);
    return yield* listColumn<number>(LIST_PARTS, { firstId });
  },
  *listEditsOfPart(part: number): Operation<readonly ChangedText[]> {
    const firstId = part * PART_SIZE;
    const rows = yield* list<EditRow>(LIST_EDITS, { firstId, endId: firstId + PART_SIZE });
    return rows.map(({ id, number, stream_id: streamId }) =>
      streamId === null ? [id, number] : [id, number, streamId],
    );
  },
};

/**
 * Step: texts that were changed since the copy was made are gone, and no version of before the change is taken back.
 * @param streams  undefined where it is not known which ones are private: then all are taken for it
 */
export function* withholdTexts(
  edits: readonly ChangedText[],
  streams: StreamsSnapshot | undefined,
): Operation<void> {
  const open = streams?.all.filter((stream) => stream.is_private === 0).map(({ id }) => id);
  const isOpen = new Set(open ?? []);
  const closing = edits.filter(([, , streamId]) => streamId === undefined || !isOpen.has(streamId));
  yield* run(SUPERSEDE, { edits: JSON.stringify(closing) });
  for (const id of yield* listColumn<number>(LIST_STALE)) yield* setContent(id, withheld);
}
