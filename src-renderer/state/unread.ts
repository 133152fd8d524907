import { conversationKey, type RealmState } from '../../src-main/contract/models/client.ts';

type Counts = RealmState['unreadCounts'];

/** Messages that want the reader: private ones (and mentions, once they are counted apart). */
export const wantedCount = (counts: Counts): number =>
  Object.entries(counts)
    .filter(([key]) => key.startsWith('private:'))
    .reduce((sum, [, n]) => sum + n, 0);

export const privateCount = (counts: Counts, userIds: readonly number[]): number =>
  counts[conversationKey({ kind: 'private', userIds: [...userIds] })] ?? 0;

export const topicCount = (counts: Counts, streamId: number, topic: string): number =>
  counts[conversationKey({ kind: 'stream', streamId, topic })] ?? 0;

export const streamCount = (counts: Counts, streamId: number): number =>
  Object.entries(counts)
    .filter(([key]) => key.startsWith(`stream:${streamId}:`))
    .reduce((sum, [, n]) => sum + n, 0);
