/** The unread summary of /register (API decisions 9.4). */
import type { UnreadRow } from '../../store/port.ts';
import { fold } from '../../../contract/fold.ts';

export interface UnreadSummary {
  readonly count: number;
  readonly pms: readonly {
    readonly sender_id: number;
    /** Only where the sender does not say it: of the reader's own messages to somebody else. */
    readonly other_user_id?: number;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly sender_ids: readonly number[];
    readonly unread_message_ids: readonly number[];
  }[];
  readonly huddles: readonly {
    readonly user_ids_string: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly mentions: readonly number[];
}

const ascending = (a: number, b: number): number => a - b;

function group<K>(rows: readonly UnreadRow[], keyOf: (row: UnreadRow) => K): Map<K, UnreadRow[]> {
  const groups = new Map<K, UnreadRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [row]);
    else known.push(row);
  }
  return groups;
}

const idsOf = (rows: readonly UnreadRow[]): number[] => rows.map((row) => row.id).sort(ascending);

const isHuddle = (row: UnreadRow): boolean => (row.participants_key ?? '').split(',').length > 2;

function summarizeStreams(rows: readonly UnreadRow[]): UnreadSummary['streams'] {
  // The same few names over and over.
  const folded = new Map<string, string>();
  const foldOnce = (topic: string): string => {
    const known = folded.get(topic) ?? fold(topic);
    folded.set(topic, known);
    return known;
  };
  const keyOf = (row: UnreadRow): string => `${String(row.stream_id)}:${foldOnce(row.topic ?? '')}`;
  return [...group(rows, keyOf).values()]
    .map((topic) => {
      const newest = topic.reduce((a, b) => (a.id > b.id ? a : b));
      return {
        stream_id: newest.stream_id ?? 0,
        topic: newest.topic ?? '',
        sender_ids: [...new Set(topic.map((row) => row.sender_id))].sort(ascending),
        unread_message_ids: idsOf(topic),
      };
    })
    .sort((a, b) => a.stream_id - b.stream_id || (a.topic < b.topic ? -1 : 1));
}

/** By sender; own messages, which only a person marks as unread, by whom they were written to. */
function summarizePairs(rows: readonly UnreadRow[], readerId: number): UnreadSummary['pms'] {
  const otherThan = (row: UnreadRow): number => {
    const ids = (row.participants_key ?? '').split(',').map(Number);
    return ids.find((id) => id !== readerId) ?? readerId;
  };
  const groups = group(rows, (row) =>
    row.sender_id === readerId ? `to ${String(otherThan(row))}` : `from ${String(row.sender_id)}`,
  );
  return [...groups.values()]
    .flatMap((messages) => {
      const [first] = messages;
      if (first === undefined) return [];
      const { sender_id: senderId } = first;
      const otherId = otherThan(first);
      const isSaid = senderId !== readerId || otherId === readerId;
      return [
        {
          sender_id: senderId,
          ...(isSaid ? {} : { other_user_id: otherId }),
          unread_message_ids: idsOf(messages),
        },
      ];
    })
    .sort((a, b) => a.sender_id - b.sender_id || (a.other_user_id ?? 0) - (b.other_user_id ?? 0));
}

/**
 * @param rows            unread messages in any order
 * @param mutedStreamIds  streams that do not count
 */
export function summarizeUnread(
  rows: readonly UnreadRow[],
  mutedStreamIds: ReadonlySet<number>,
  readerId: number,
): UnreadSummary {
  const streamRows = rows.filter((row) => row.stream_id !== null);
  const privateRows = rows.filter((row) => row.stream_id === null);
  const isCounted = (row: UnreadRow): boolean =>
    row.stream_id === null || (row.is_topic_muted === 0 && !mutedStreamIds.has(row.stream_id));
  return {
    count: rows.filter(isCounted).length,
    pms: summarizePairs(
      privateRows.filter((row) => !isHuddle(row)),
      readerId,
    ),
    streams: summarizeStreams(streamRows),
    huddles: [...group(privateRows.filter(isHuddle), (row) => row.participants_key ?? '')]
      .map(([participants, messages]) => ({
        user_ids_string: participants,
        unread_message_ids: idsOf(messages),
      }))
      .sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)),
    mentions: idsOf(rows.filter((row) => row.is_mention === 1)),
  };
}
