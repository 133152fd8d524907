/**
 * An organization of any number of messages, made by the store's own operations: what people have read, flags, mentions, files and
 * the search index are as a service leaves them.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { noMarks } from '#shared/api/models/message-marks.ts';
import { uploadPlace } from '#service/features/files/operations/file-paths.ts';
import { indexEntry } from '#service/features/reading/rules/index-entry.ts';
import type { NewMessage, Store } from '#service/db/port.ts';
import { openIndexWriter } from '#service/db/sqlite/search-indexing.ts';
import { openStore } from '#service/db/sqlite/open.ts';
import { randomFrom, type Random } from '#test/support/random.ts';
import { databaseFile, seedOrganization, streamName } from '../seed.ts';
import { textSource } from '../texts.ts';

export const PEOPLE = 500;
export const STREAMS = 300;
/** Streams that everybody is in; the first is the large one. */
export const OPEN_STREAMS = 10;
/** No file was ever sent to these. */
export const FIRST_WITHOUT_FILES = 250;
/** From here on, streams are private. */
const FIRST_PRIVATE = 220;
const CONVERSATIONS = 1000;
/** Ids of accounts, by what is special about them. */
export const who = { admin: 1, mentioned: 2, behind: 3, quiet: 4 } as const;
/** Words that one message in so many has. */
const RARE_EVERY = 2000;
export const RARE = 'quetzalcoatl';
export const LARGE_TOPIC = 'the large topic';
export const SMALL_TOPIC = 'the small topic';

const MESSAGES_AT_ONCE = 1000;
const EVENTS_KEPT_OF = 20;
const MINUTE = 60;
const STARS = 300;
const mayRead = (): boolean => true;

/** The large one has 17 of 100, the other nine that everybody is in 38. */
const streamOf = ({ next, below }: Random): number => {
  const at = next();
  if (at < 0.2) return 0;
  return at < 0.6 ? 1 + below(OPEN_STREAMS - 1) : OPEN_STREAMS + below(STREAMS - OPEN_STREAMS);
};

const isMember = (stream: number, account: number): boolean =>
  stream < OPEN_STREAMS || account === 0 || (account * 7 + stream * 13) % 29 === 0;

interface Sizes {
  readonly messages: number;
  readonly topics: number;
}

/** 2.6 of 100 messages are in one topic; the others have topics that come and go. */
function topicOf(random: Random, stream: number, at: number, { messages, topics }: Sizes): string {
  if (stream === 0 && random.chance(0.15)) return LARGE_TOPIC;
  if (stream === 0 && at < messages / 100 && random.chance(0.1)) return SMALL_TOPIC;
  const ofStream = Math.max(
    1,
    Math.round((topics * (stream === 0 ? 0.17 : 0.83)) / (stream === 0 ? 1 : STREAMS)),
  );
  const newest = Math.ceil((ofStream * (at + 1)) / messages);
  return `topic ${String(Math.max(0, newest - random.below(5)))}`;
}

type Place = Pick<NewMessage, 'senderId' | 'target'> & { readonly stream: number | undefined };

/** Whom a conversation is between, by its number: never the quiet one, but for the first two. */
function participantsOf(conversation: number): readonly number[] {
  if (conversation < 2) return [who.quiet, 10 + conversation];
  const first = 5 + ((conversation * 31) % (PEOPLE - 5));
  const second = 5 + ((conversation * 17 + 1) % (PEOPLE - 5));
  const third = conversation % 4 === 0 ? [who.mentioned] : [];
  return [...new Set([first, second, ...third])];
}

function placeOf(random: Random, at: number, sizes: Sizes): Place {
  if (random.chance(0.15)) {
    const conversation =
      at % 1000 < 2 && at < 20_000 ? at % 2 : 2 + random.below(CONVERSATIONS - 2);
    const userIds = participantsOf(conversation);
    return { senderId: userIds[0] ?? 0, stream: undefined, target: { kind: 'private', userIds } };
  }
  const stream = streamOf(random);
  const topic = topicOf(random, stream, at, sizes);
  return {
    senderId: 1 + random.below(PEOPLE),
    stream,
    target: { kind: 'stream', streamId: stream + 1, topic, topicKey: topic },
  };
}

interface Said extends Omit<NewMessage, 'senderId' | 'target' | 'sentAt' | 'client' | 'echo'> {
  /** Uploaded with it. */
  readonly file: string | null;
}

const plain = { ...noMarks, mentionedUserIds: [], file: null };

/** One in 25 links elsewhere, one in 200 to a file, half of which are images; one in 100 mentions somebody. */
function say(random: Random, text: { content: string; rendered: string }, place: Place): Said {
  const { content, rendered } = text;
  const chance = random.next();
  const mayHaveFile = place.stream === undefined || place.stream < FIRST_WITHOUT_FILES;
  const added = (source: string, html: string): Pick<Said, 'content' | 'rendered'> => ({
    content: `${content} ${source}`,
    rendered: rendered.replace('</p>', ` ${html}</p>`),
  });
  if (chance < 0.005 && mayHaveFile) {
    const isImage = chance < 0.0025;
    const path = `1/${randomBytes(12).toString('hex')}/${isImage ? 'image.png' : 'file.txt'}`;
    const href = `/user_uploads/${path}`;
    const link = added(`[file](${href})`, `<a href="${href}">file</a>`);
    const has = { has_link: true, has_image: isImage, has_attachment: true };
    return { ...plain, ...link, ...has, attachmentPaths: [path], file: path };
  }
  if (chance < 0.045) {
    const href = `https://example.com/${String(random.below(1000))}`;
    return { ...plain, ...added(href, `<a href="${href}">${href}</a>`), has_link: true };
  }
  if (chance < 0.055) {
    const id = random.chance(0.1) ? who.mentioned : 1 + random.below(PEOPLE);
    const name = `User ${String(id - 1)}`;
    const html = `<span class="user-mention" data-user-id="${String(id)}">@${name}</span>`;
    return { ...plain, ...added(`@**${name}**`, html), mentionedUserIds: [id] };
  }
  if (chance < 0.0555)
    return { ...plain, ...added('@**all**', '@all'), has_wildcard_mention: true };
  return { ...plain, content, rendered };
}

async function keepFile(dataDir: string, path: string): Promise<void> {
  const file = join(dataDir, 'files', uploadPlace(path));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, randomBytes(2000));
}

interface Drafted {
  readonly message: NewMessage;
  readonly file: string | null;
}

function drafter(sizes: Sizes): (at: number) => Drafted {
  const firstAt = Math.floor(Date.now() / 1000) - sizes.messages * MINUTE;
  const random = randomFrom(47);
  const nextText = textSource(5);
  return (at) => {
    const place = placeOf(random, at, sizes);
    const text = nextText();
    const content = at % RARE_EVERY === 7 ? `${text.content} ${RARE}` : text.content;
    const { file, ...said } = say(random, { ...text, content }, place);
    const { senderId, target } = place;
    const sentAt = firstAt + at * MINUTE;
    return { message: { ...said, senderId, target, sentAt, client: 'bench', echo: null }, file };
  };
}

async function append(
  store: Store,
  dataDir: string,
  drafts: readonly Drafted[],
): Promise<readonly number[]> {
  for (const { file } of drafts) if (file !== null) await keepFile(dataDir, file);
  return store.change(function* (tx) {
    const ids: number[] = [];
    for (const { message, file } of drafts) {
      if (file !== null) {
        const [, , name = ''] = file.split('/');
        const contentType = name.endsWith('png') ? 'image/png' : 'text/plain';
        const { senderId: ownerId, sentAt: createdAt } = message;
        yield* tx.addAttachment({
          path: file,
          name,
          contentType,
          sizeBytes: 2000,
          ownerId,
          createdAt,
        });
      }
      ids.push(yield* tx.appendMessage(message));
    }
    return ids;
  });
}

/** What one has read and the other has not: all but the newest 2,000, and for one who was away all but a fifth. */
async function fill(
  { store, dataDir }: { readonly store: Store; readonly dataDir: string },
  sizes: Sizes,
): Promise<void> {
  const draft = drafter(sizes);
  const { messages } = sizes;
  const readAt = new Map([
    [Math.floor(messages * 0.8), [who.behind]],
    [messages - 2000, Array.from({ length: PEOPLE }, (_, index) => index + 1)],
  ]);
  for (let at = 0; at < messages;) {
    const stop = [...readAt.keys()].find((each) => each > at) ?? messages;
    const count = Math.min(MESSAGES_AT_ONCE, stop - at);
    await append(
      store,
      dataDir,
      Array.from({ length: count }, (_, index) => draft(at + index)),
    );
    at += count;
    for (const id of readAt.get(at) ?? []) {
      if (id !== who.behind || at === Math.floor(messages * 0.8)) await store.markAllAsRead(id);
    }
    if ((at / MESSAGES_AT_ONCE) % EVENTS_KEPT_OF === 0) await store.trimEvents(store.lastEventId());
  }
  await flag(store, messages);
}

/** One has starred 300, and everybody has read some of what is new. */
async function flag(store: Store, messages: number): Promise<void> {
  const random = randomFrom(11);
  const starred = Array.from({ length: STARS * 2 }, () => 1 + random.below(messages));
  const ids = new Set(starred);
  await store.changeFlags(
    { userId: who.mentioned, messageIds: [...ids].slice(0, STARS), op: 'add', flag: 'starred' },
    mayRead,
  );
  for (let userId = 5; userId < 55; userId += 1) {
    const messageIds = Array.from({ length: 50 }, () => messages - random.below(2000));
    await store.changeFlags({ userId, messageIds, op: 'add', flag: 'read' }, mayRead);
  }
  await store.trimEvents(store.lastEventId());
}

async function indexAll(store: Store, file: string): Promise<void> {
  const writer = openIndexWriter(file, indexEntry);
  for (let isBehind = true; isBehind;) {
    const block = writer.index();
    if (block.settled.length > 0) await store.settleIndexed(block.settled);
    ({ isBehind } = block);
  }
  writer.close();
}

/** @param dataDir  an empty folder */
export async function makeScaleOrganization(dataDir: string, messages: number): Promise<void> {
  const isPrivate = (stream: number): boolean => stream >= FIRST_PRIVATE;
  await seedOrganization(dataDir, PEOPLE, { streams: STREAMS, isMember, isPrivate });
  const file = databaseFile(dataDir);
  const store = await openStore({ file, commitMs: Infinity });
  await fill({ store, dataDir }, { messages, topics: Math.round(messages * 0.03) });
  await indexAll(store, file);
  await store.close();
}

export const largeStream = streamName(0);
