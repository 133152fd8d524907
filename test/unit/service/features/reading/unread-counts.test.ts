import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summarizeUnread } from '#service/features/reading/rules/unread-counts.ts';
import type { Unread, UnreadGroup } from '#service/db/port.ts';

/** One unread message. */
interface UnreadRow extends Pick<UnreadGroup, 'stream_id' | 'topic' | 'participants_key'> {
  readonly id: number;
  readonly sender_id: number;
  readonly is_mention: 0 | 1;
}

const place = fc.oneof(
  fc.record({
    stream_id: fc.constantFrom(1, 2, 10),
    topic: fc.constantFrom('Lunch', 'deploy'),
    participants_key: fc.constant(null),
  }),
  fc.record({
    stream_id: fc.constant(null),
    topic: fc.constant(null),
    participants_key: fc.constantFrom('1', '1,2', '1,3', '1,2,3', '1,10,12'),
  }),
);

const rows: fc.Arbitrary<readonly UnreadRow[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 500 }),
      sender_id: fc.constantFrom(1, 2, 3, 10),
      is_mention: fc.constantFrom(0, 1),
      place,
    }),
    { selector: (row) => row.id, maxLength: 30 },
  )
  .map((drafts) => drafts.map(({ place: where, ...row }) => ({ ...row, ...where })));

const MUTED_TOPIC = 'deploy';

/** As the store hands them over. */
function grouped(list: readonly UnreadRow[]): Unread {
  const byPlace = Map.groupBy(list, (row) =>
    JSON.stringify([row.stream_id, row.topic, row.participants_key, row.topic ?? row.sender_id]),
  );
  const groups = [...byPlace.values()].map(([row, ...others]) => {
    const { stream_id, topic, participants_key } = row!;
    const members = [row!, ...others];
    const senderIds = [...new Set(members.map(({ sender_id: id }) => id))].sort((a, b) => a - b);
    const is_topic_muted = topic === MUTED_TOPIC ? 1 : 0;
    const place = { stream_id, topic, participants_key, is_topic_muted } as const;
    return { ...place, senderIds, messageIds: sortedIds(members) };
  });
  return { groups, mentionIds: sortedIds(list.filter((row) => row.is_mention === 1)) };
}

const READER = 1;
/** The other one of a pair that the reader is in; the reader, where there is none. */
const otherIn = (row: UnreadRow): number =>
  (row.participants_key ?? '').split(',').map(Number).at(1) ?? READER;

const sortedIds = (list: readonly UnreadRow[]): readonly number[] =>
  list.map((row) => row.id).sort((a, b) => a - b);

describe('the summary of what is unread', () => {
  test('the summary has every unread message exactly once, where it belongs', () => {
    fc.assert(
      fc.property(rows, fc.subarray([1, 2, 10]), (list, muted) => {
        const summary = summarizeUnread(grouped(list), new Set(muted), READER);
        const counted = list.filter(
          (row) =>
            row.stream_id === null || (row.topic !== MUTED_TOPIC && !muted.includes(row.stream_id)),
        );
        expect(summary.count).toBe(counted.length);
        expect(summary.mentions).toEqual(sortedIds(list.filter((row) => row.is_mention === 1)));

        for (const entry of summary.pms) {
          const expected = list.filter(
            (row) =>
              row.participants_key !== null &&
              row.participants_key.split(',').length <= 2 &&
              row.sender_id === entry.sender_id &&
              (row.sender_id !== READER || otherIn(row) === (entry.other_user_id ?? READER)),
          );
          expect(entry.unread_message_ids).toEqual(sortedIds(expected));
        }
        for (const entry of summary.huddles) {
          const expected = list.filter((row) => row.participants_key === entry.user_ids_string);
          expect(entry.unread_message_ids).toEqual(sortedIds(expected));
          expect(entry.user_ids_string.split(',').length).toBeGreaterThan(2);
        }
        for (const entry of summary.streams) {
          const expected = list.filter(
            (row) => row.stream_id === entry.stream_id && row.topic === entry.topic,
          );
          expect(entry.unread_message_ids).toEqual(sortedIds(expected));
          const senders = [...new Set(expected.map((row) => row.sender_id))];
          expect(entry.sender_ids).toEqual(senders.sort((a, b) => a - b));
        }
        const everywhere = [...summary.pms, ...summary.streams, ...summary.huddles].flatMap(
          (entry) => entry.unread_message_ids,
        );
        expect(everywhere.sort((a, b) => a - b)).toEqual(sortedIds(list));
      }),
      { numRuns: 500 },
    );
  });

  test('the summary tells whom own messages were written to, because their sender does not', () => {
    const row = { stream_id: null, topic: null, is_mention: 0 } as const;
    const own = [
      { ...row, id: 5, sender_id: READER, participants_key: '1' },
      { ...row, id: 6, sender_id: READER, participants_key: '1,3' },
      { ...row, id: 7, sender_id: 3, participants_key: '1,3' },
    ];
    expect(summarizeUnread(grouped(own), new Set(), READER).pms).toEqual([
      { sender_id: READER, unread_message_ids: [5] },
      { sender_id: READER, other_user_id: 3, unread_message_ids: [6] },
      { sender_id: 3, unread_message_ids: [7] },
    ]);
  });

  test('the summary does not depend on the order of the messages', () => {
    fc.assert(
      fc.property(
        rows.chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length }),
          ),
        ),
        ([list, shuffled]) => {
          expect(summarizeUnread(grouped(shuffled), new Set([2]), READER)).toEqual(
            summarizeUnread(grouped(list), new Set([2]), READER),
          );
        },
      ),
    );
  });

  test('the summary is sorted by stream and topic', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const { streams } = summarizeUnread(grouped(list), new Set(), READER);
        const sorted = [...streams].sort(
          (a, b) => a.stream_id - b.stream_id || (a.topic < b.topic ? -1 : 1),
        );
        expect(streams).toEqual(sorted);
      }),
    );
  });

  test('the summary of nothing is empty', () => {
    expect(summarizeUnread(grouped([]), new Set(), READER)).toEqual({
      count: 0,
      pms: [],
      streams: [],
      huddles: [],
      mentions: [],
    });
  });
});
