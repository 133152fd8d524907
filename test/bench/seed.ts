/** Fills a data directory: an organization through the store, messages straight into the store's tables. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { createApiKeys } from '#service/security/api-keys.ts';
import { gravatarHash } from '#service/security/gravatar.ts';
import { loadSecret } from '#service/security/secret-file.ts';
import { streamColors } from '#service/features/streams/rules/stream-colors.ts';
import type { NewRealm } from '#service/db/port.ts';
import { createDriver } from '#service/db/sqlite/run-operation.ts';
import { createEventCounter } from '#service/db/sqlite/event-counter.ts';
import { openStore } from '#service/db/sqlite/open.ts';
import { countSent } from '#service/features/streams/queries/traffic.ts';
import { type BulkIndex, openBulkIndex } from './seed-search.ts';
import { randomFrom } from '../support/random.ts';
import { textSource } from './texts.ts';

export interface Account {
  readonly email: string;
  readonly key: string;
}

export const STREAMS = 20;
const TOPICS_OF_A_STREAM = 25;
const UNREAD = 1000;
/** All times are relative to it, so that two runs write the same rows. */
const START_SECONDS = 1_700_000_000;

export const databaseFile = (dataDir: string): string => join(dataDir, 'hearth.db');
export const streamName = (index: number): string => `stream ${String(index)}`;
export const topicName = (index: number): string => `topic ${String(index)}`;

const accountOf = (index: number): NewRealm['accounts'][number] => {
  const email = `user${String(index)}@example.com`;
  const fullName = `User ${String(index)}`;
  return {
    email,
    emailKey: email,
    fullName,
    fullNameKey: fullName.toLowerCase(),
    shortName: `user${String(index)}`,
    role: index === 0 ? 'admin' : 'member',
    botType: null,
    owner: null,
    passwordHash: null,
    isPasswordGiven: 0,
    gravatarHash: gravatarHash(email),
    joinedAt: START_SECONDS,
  };
};

const streamOf = (index: number, isPrivate: boolean): NewRealm['streams'][number]['stream'] => ({
  name: streamName(index),
  nameKey: streamName(index),
  description: '',
  renderedDescription: '',
  isPrivate,
  isAnnouncementOnly: false,
  isHistoryPublic: true,
  isDefault: index === 0,
  creatorId: null,
  createdAt: START_SECONDS,
});

/** Whether an account is subscribed to a stream, both by their position. */
type IsMember = (stream: number, account: number) => boolean;

const everybody: IsMember = () => true;

/** An organization and its streams, with everybody in every one where nothing else is said; answers who can sign in. */
export async function seedOrganization(
  dataDir: string,
  accounts: number,
  {
    streams = STREAMS,
    isMember = everybody,
    isPrivate = () => false,
  }: {
    streams?: number;
    isMember?: IsMember;
    isPrivate?: (stream: number) => boolean;
  } = {},
): Promise<readonly Account[]> {
  const apiKeys = createApiKeys(await loadSecret(join(dataDir, 'secret')));
  const people = Array.from({ length: accounts }, (_, index) => accountOf(index));
  const store = await openStore({ file: databaseFile(dataDir) });
  const ids = await store.createRealm(
    {
      name: 'Bench',
      createdAt: START_SECONDS,
      accounts: people,
      streams: Array.from({ length: streams }, (_, index) => ({
        stream: streamOf(index, isPrivate(index)),
        members: people.map((_person, member) => member).filter((each) => isMember(index, each)),
      })),
      entries: () => [],
      palette: streamColors,
    },
    (id) => apiKeys.hash(apiKeys.derive(id, 1)),
  );
  await store.close();
  return people.map(({ email }, index) => ({ email, key: apiKeys.derive(ids[index] ?? 0, 1) }));
}

const INSERT_TOPIC = 'INSERT INTO topic (recipient_id, name, name_key) VALUES (?, ?, ?)';
const INSERT_CLIENT = "INSERT INTO client (name) VALUES ('bench')";
const INSERT_MESSAGE = `INSERT INTO message (recipient_id, topic_id, sender_id, client_id, content, rendered,
    is_me_message, has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
  VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, ?)`;
const SET_FIRST = `UPDATE stream SET first_message_id =
  (SELECT MIN(m.id) FROM message m WHERE m.recipient_id = stream.recipient_id)`;
const NOTE_HOURS = `INSERT INTO message_hour (first_id, hour)
  SELECT MIN(id), sent_at / 3600 FROM message GROUP BY sent_at / 3600`;
const MARK_READ = `INSERT INTO read_mark (account_id, recipient_id, topic_id, through_id)
  SELECT a.id, 0, 0, MAX(0, (SELECT MAX(id) FROM message) - ?) FROM account a`;

const idsOf = (db: Database.Database, sql: string): readonly number[] =>
  db.prepare<[], number>(sql).pluck().all();

function insertMessages(db: Database.Database, index: BulkIndex, count: number): void {
  const recipients = idsOf(db, 'SELECT recipient_id FROM stream ORDER BY id');
  const senders = idsOf(db, 'SELECT id FROM account ORDER BY id');
  const insertTopic = db.prepare(INSERT_TOPIC);
  const topics = recipients.map((recipient) =>
    Array.from({ length: TOPICS_OF_A_STREAM }, (_, index) =>
      Number(insertTopic.run(recipient, topicName(index), topicName(index)).lastInsertRowid),
    ),
  );
  const client = Number(db.prepare(INSERT_CLIENT).run().lastInsertRowid);
  const insert = db.prepare(INSERT_MESSAGE);
  const nextText = textSource(3);
  const { below } = randomFrom(2);
  for (let i = 0; i < count; i++) {
    const stream = below(STREAMS);
    const topicIndex = below(TOPICS_OF_A_STREAM);
    const topic = topics[stream]?.[topicIndex] ?? null;
    const recipient = recipients[stream] ?? 0;
    const { content, rendered } = nextText();
    const sender = senders[below(senders.length)] ?? 0;
    const sentAt = START_SECONDS + i * 10;
    const added = insert.run(recipient, topic, sender, client, content, rendered, sentAt);
    index.add({
      id: Number(added.lastInsertRowid),
      recipient_id: recipient,
      topic_id: topic,
      topic: topicName(topicIndex),
      sender_id: sender,
      content,
      has_link: 0,
      has_image: 0,
      has_attachment: 0,
    });
  }
  index.finish();
}

/** Leaves out what only a file that may not be lost needs, and builds the indexes when all rows are there. */
export function seedMessages(dataDir: string, count: number): void {
  const db = new Database(databaseFile(dataDir));
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('foreign_keys = OFF');
  db.pragma('cache_size = -262144');
  const counter = createEventCounter(db);
  if (counter === undefined) throw new Error('no event counter');
  const driver = createDriver(db, counter);
  const indexes = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'message' AND sql IS NOT NULL",
    )
    .all();
  db.transaction(() => {
    for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
    insertMessages(db, openBulkIndex(databaseFile(dataDir)), count);
    for (const { sql } of indexes) db.exec(sql);
    db.exec(SET_FIRST);
    db.exec(NOTE_HOURS);
    driver.drive(countSent());
    db.prepare(MARK_READ).run(UNREAD);
  })();
  db.close();
}

/** The same, telling how long it took. */
export function seedMessagesTelling(
  dataDir: string,
  count: number,
  tell: (line: string) => void,
): void {
  const startedAt = performance.now();
  seedMessages(dataDir, count);
  const seconds = (performance.now() - startedAt) / 1000;
  tell(`seeded ${count.toLocaleString('en-US')} messages in ${seconds.toFixed(1)} s`);
}
