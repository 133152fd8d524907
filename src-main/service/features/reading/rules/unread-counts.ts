/** The unread summary of /register (API decisions 9.4). */
import type { Unread, UnreadGroup } from '#service/db/port.ts';

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

type Messages = Pick<UnreadGroup, 'messageIds'>;

const countOf = (groups: readonly Messages[]): number =>
  groups.reduce((sum, { messageIds }) => sum + messageIds.length, 0);

const idsOf = (groups: readonly Messages[]): readonly number[] =>
  groups.length === 1
    ? (groups[0]?.messageIds ?? [])
    : groups.flatMap(({ messageIds }) => messageIds).sort(ascending);

const isHuddle = ({ participants_key: key }: UnreadGroup): boolean =>
  (key ?? '').split(',').length > 2;

const summarizeStreams = (groups: readonly UnreadGroup[]): UnreadSummary['streams'] =>
  groups
    .map(({ stream_id: streamId, topic, senderIds, messageIds }) => ({
      stream_id: streamId ?? 0,
      topic: topic ?? '',
      sender_ids: senderIds,
      unread_message_ids: messageIds,
    }))
    .sort((a, b) => a.stream_id - b.stream_id || (a.topic < b.topic ? -1 : 1));

/** Groups that are told as one, by what they have in common. */
function joined<K>(
  groups: readonly UnreadGroup[],
  keyOf: (group: UnreadGroup) => K,
): readonly (readonly [K, UnreadGroup, readonly number[]])[] {
  const byKey = new Map<K, [UnreadGroup, ...UnreadGroup[]]>();
  for (const each of groups) {
    const known = byKey.get(keyOf(each));
    if (known === undefined) byKey.set(keyOf(each), [each]);
    else known.push(each);
  }
  return [...byKey].map(([key, same]) => [key, same[0], idsOf(same)] as const);
}

/** By sender; own messages, which only a person marks as unread, by whom they were written to. */
function summarizePairs(groups: readonly UnreadGroup[], readerId: number): UnreadSummary['pms'] {
  const senderOf = ({ senderIds: [id = 0] }: UnreadGroup): number => id;
  const otherThan = ({ participants_key: key }: UnreadGroup): number => {
    const ids = (key ?? '').split(',').map(Number);
    return ids.find((id) => id !== readerId) ?? readerId;
  };
  return joined(groups, (pair) =>
    senderOf(pair) === readerId
      ? `to ${String(otherThan(pair))}`
      : `from ${String(senderOf(pair))}`,
  )
    .map(([, pair, messageIds]) => {
      const otherId = otherThan(pair);
      const isSaid = senderOf(pair) !== readerId || otherId === readerId;
      return {
        sender_id: senderOf(pair),
        ...(isSaid ? {} : { other_user_id: otherId }),
        unread_message_ids: messageIds,
      };
    })
    .sort((a, b) => a.sender_id - b.sender_id || (a.other_user_id ?? 0) - (b.other_user_id ?? 0));
}

const summarizeHuddles = (groups: readonly UnreadGroup[]): UnreadSummary['huddles'] =>
  joined(groups, (each) => each.participants_key ?? '')
    .map(([participants, , messageIds]) => ({
      user_ids_string: participants,
      unread_message_ids: messageIds,
    }))
    .sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1));

/** @param mutedStreamIds  streams that do not count */
export function summarizeUnread(
  { groups, mentionIds }: Unread,
  mutedStreamIds: ReadonlySet<number>,
  readerId: number,
): UnreadSummary {
  const isCounted = ({ stream_id: id, is_topic_muted: isMuted }: UnreadGroup): boolean =>
    id === null || (isMuted === 0 && !mutedStreamIds.has(id));
  const topics = groups.filter((each) => each.stream_id !== null);
  const conversations = groups.filter((each) => each.stream_id === null);
  return {
    count: countOf(groups.filter(isCounted)),
    pms: summarizePairs(
      conversations.filter((each) => !isHuddle(each)),
      readerId,
    ),
    streams: summarizeStreams(topics),
    huddles: summarizeHuddles(conversations.filter(isHuddle)),
    mentions: mentionIds,
  };
}
