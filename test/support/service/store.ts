/** Real database files with something in them. */
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { noMarks } from '#shared/api/models/message-marks.ts';
import { joinStreams } from '#service/features/streams/operations/memberships.ts';
import { subscribeEvents } from '#service/features/streams/operations/stream-events.ts';
import type { Role } from '#shared/policies/actor.ts';
import type { LoggedEvent } from '#service/db/event-log.ts';
import type { NewMessage, NewStream, Store } from '#service/db/port.ts';
import { openStore } from '#service/db/sqlite/open.ts';

/** A folder that is removed when the test that called it ends. */
export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const temporaryFile = (): string => join(temporaryDir(), 'hearth.db');

/**
 * An open store, closed when the test that called it ends, unless that closed it itself. What waits is committed
 * together, however slow the machine is.
 */
export async function openForTest(file = temporaryFile(), commitMs = Infinity): Promise<Store> {
  const store = await openStore({ file, commitMs });
  onTestFinished(async () => {
    await store.close().catch(() => undefined);
  });
  return store;
}

/** A connection of one's own, to see what is really in the file, or to put there what no operation writes yet. */
export function connectForTest(file: string): Database.Database {
  const db = new Database(file);
  onTestFinished(() => void db.close());
  return db;
}

export const plainStream = (name: string, more: Partial<NewStream> = {}): NewStream => ({
  name,
  nameKey: name.toLowerCase(),
  description: '',
  renderedDescription: '',
  isPrivate: false,
  isAnnouncementOnly: false,
  isHistoryPublic: more.isPrivate !== true,
  isDefault: false,
  creatorId: null,
  createdAt: 1_700_000_000,
  ...more,
});

export interface RealmSeed {
  /** Roles of the accounts, whose ids count from 1. */
  readonly roles: readonly Role[];
  /** Streams, whose ids count from 1, with the ids of their subscribers. */
  readonly streams: readonly {
    readonly stream: NewStream;
    readonly memberIds: readonly number[];
  }[];
}

export const emailOf = (userId: number): string => `user${userId}@example.com`;

/** Two members in one public stream, unless a test asks for something else. */
export async function seedRealm(
  store: Store,
  seed: RealmSeed = {
    roles: ['member', 'member'],
    streams: [{ stream: plainStream('general'), memberIds: [1, 2] }],
  },
): Promise<void> {
  await store.createRealm(
    {
      name: 'Test',
      createdAt: 1_700_000_000,
      entries: () => [],
      palette: ['#111111', '#222222'],
      accounts: seed.roles.map((role, index) => ({
        email: emailOf(index + 1),
        emailKey: emailOf(index + 1),
        fullName: `User ${index + 1}`,
        fullNameKey: `user ${index + 1}`,
        shortName: `user${index + 1}`,
        role,
        botType: null,
        owner: null,
        passwordHash: null,
        isPasswordGiven: 0,
        gravatarHash: '0',
        joinedAt: 1_700_000_000,
      })),
      streams: seed.streams.map(({ stream, memberIds }) => ({
        stream,
        members: memberIds.map((id) => id - 1),
      })),
    },
    (id) => `key of ${id}`,
  );
}

/** A message to the topic `topic` of the stream 1, by account 1. */
export const newMessage = (more: Partial<NewMessage> = {}): NewMessage => ({
  senderId: 1,
  client: 'test',
  content: 'text',
  rendered: '<p>text</p>',
  ...noMarks,
  mentionedUserIds: [],
  sentAt: 1_700_000_000,
  echo: null,
  target: toStream(1),
  ...more,
});

export const toStream = (streamId: number, topic = 'topic'): NewMessage['target'] => ({
  kind: 'stream',
  streamId,
  topic,
  topicKey: topic.toLowerCase(),
});

export const toUsers = (...userIds: readonly number[]): NewMessage['target'] => ({
  kind: 'private',
  userIds,
});

/** Subscribes accounts to a stream that is there. */
export const subscribeForTest = (
  store: Store,
  streamId: number,
  ...userIds: readonly number[]
): Promise<unknown> =>
  store.change(function* (tx) {
    const stream = yield* tx.findStream(streamId);
    if (stream === undefined) throw new Error(`no stream ${streamId}`);
    const events = subscribeEvents(yield* tx.listUsers(), 1_700_000_000);
    return yield* joinStreams(tx, [{ kind: 'existing', stream }], userIds, events);
  });

/** Events as they are committed from now on. */
export function recordCommits(store: Store): LoggedEvent[][] {
  const commits: LoggedEvent[][] = [];
  store.onCommit((events) => commits.push([...events]));
  return commits;
}

/** Registers a queue of an account that no filter is looked at. */
export async function registerPlain(
  store: Store,
  id: string,
  userId = 1,
): ReturnType<Store['readRegistration']> {
  const kept = { options: '{}', lifespanSeconds: 600, lastSeenAt: 1_700_000_000 };
  const state = await store.readRegistration(
    userId,
    ['realm', 'users', 'subscriptions', 'newestHeldId', 'unread', 'privateConversations'],
    0,
  );
  await store.registerQueue({ id, userId, lastEventId: state.lastEventId, ...kept });
  return state;
}
