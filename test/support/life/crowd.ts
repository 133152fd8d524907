/**
 * More of everything for the office: people of many names and scripts, two hundred streams, a topic of five thousand
 * messages. Written through the store while the service does not run, because thousands of requests would take minutes.
 */
import { join } from 'node:path';
import { noMarks } from '#shared/api/models/message-marks.ts';
import { fold } from '#shared/text/fold.ts';
import { createApiKeys } from '#service/security/api-keys.ts';
import { gravatarHash } from '#service/security/gravatar.ts';
import { loadSecret } from '#service/security/secret-file.ts';
import { streamColors } from '#service/features/streams/rules/stream-colors.ts';
import type { NewMessage, NewStream, Store } from '#service/db/port.ts';
import { openStore } from '#service/db/sqlite/open.ts';
import { randomFrom } from '../random.ts';
import { peopleNames, sentences, streamNames } from './crowd-names.ts';

/** How many people an office has: it stays as it was founded, or is left by all but three, or is joined by others. */
export type People = 3 | 30 | 300 | 1000;

/** Where the long topic is. */
export const DESK = 'support desk';
export const LONG_TOPIC = 'Everything that customers have asked since the first day';
export const LONG_TOPIC_MESSAGES = 5000;
/** As long as the name of a stream may be. */
export const LONG_STREAM = 'Coordination of deliveries, returns and repairs in the north';
/** One word that nothing but its end can break. */
export const UNBROKEN_STREAM = 'donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbau';
/** In which nobody of the office is. */
export const OPEN_STREAM = 'zoology of the warehouse';

const STREAMS = 200;
/** The people that the office has without a crowd. */
const FOUNDERS = 8;
const LONGEST_PRIVATE = 9;

export interface CrowdPlan {
  readonly people: People;
  /** The account whose window is looked at. */
  readonly readerId: number;
  /** Everybody who was there before, the reader among them. */
  readonly userIds: readonly number[];
  /** Streams in which everybody is. */
  readonly commonStreamIds: readonly number[];
  /** UNIX seconds at which the crowd begins to work and write. */
  readonly startsAt: number;
}

/** Nobody has to be told: no client is there yet. Answers the stream's id. */
const subscribe = (
  store: Store,
  target: NewStream | number,
  userIds: readonly number[],
): Promise<number> =>
  store.change(function* (tx) {
    const isThere = typeof target === 'number';
    const stream = isThere ? yield* tx.findStream(target) : yield* tx.insertStream(target);
    if (stream === undefined) throw new Error('the stream is gone');
    const color = { wished: undefined, palette: streamColors };
    for (const userId of new Set(userIds)) yield* tx.joinStream(stream, userId, color);
    return stream.id;
  });

async function hire(store: Store, dataDir: string, plan: CrowdPlan): Promise<readonly number[]> {
  const apiKeys = createApiKeys(await loadSecret(join(dataDir, 'secret')));
  const names = peopleNames(Math.max(0, plan.people - FOUNDERS));
  return Promise.all(
    names.map((fullName, index) => {
      const email = `person.${String(index + 1)}@larchandloom.example`;
      return store.insertUser(
        {
          ...{ email, emailKey: email, fullName, fullNameKey: fold(fullName) },
          ...{
            shortName: `person${String(index + 1)}`,
            role: index % 40 === 39 ? 'guest' : 'member',
          },
          ...{
            botType: null,
            ownerId: null,
            passwordHash: null,
            isPasswordGiven: 0,
            gravatarHash: gravatarHash(email),
          },
          joinedAt: plan.startsAt,
        },
        (id) => apiKeys.hash(apiKeys.derive(id, 1)),
      );
    }),
  );
}

const message = (
  more: Pick<NewMessage, 'senderId' | 'sentAt' | 'target' | 'content'>,
): NewMessage => ({
  client: 'crowd',
  rendered: `<p>${more.content}</p>`,
  ...noMarks,
  ...{ mentionedUserIds: [], echo: null },
  ...more,
});

const inTopic = (streamId: number, topic: string): NewMessage['target'] => ({
  ...{ kind: 'stream', streamId, topic },
  topicKey: fold(topic),
});

interface Crowd extends CrowdPlan {
  readonly newIds: readonly number[];
}

/** The reader is in two of three of them, others here and there. */
async function openStreams(store: Store, crowd: Crowd): Promise<readonly number[]> {
  const { readerId, userIds, newIds, startsAt: createdAt } = crowd;
  const random = randomFrom(4);
  const colleagues = userIds.filter((id) => id !== readerId);
  const everybody = [...colleagues, ...newIds];
  const plain = streamNames(crowd.people === 3 ? 0 : STREAMS - 14);
  const names = [DESK, LONG_STREAM, UNBROKEN_STREAM, OPEN_STREAM, ...plain];
  const opened = await Promise.all(
    names.map((name, index) => {
      const isIn = name !== OPEN_STREAM && index % 3 !== 2;
      const others = Array.from({ length: 1 + random.below(12) }, () => random.pick(everybody));
      const isPrivate = isIn && index % 7 === 6;
      const description = index % 4 === 0 ? '' : random.pick(sentences);
      const stream = {
        ...{ name, nameKey: fold(name), description, renderedDescription: `<p>${description}</p>` },
        ...{ isPrivate, isAnnouncementOnly: false, isHistoryPublic: !isPrivate },
        ...{ isDefault: false, creatorId: readerId, createdAt },
      };
      const busy =
        name === DESK || index % 6 === 1 ? (name === DESK ? everybody : colleagues) : others;
      const members = [...(isIn ? [readerId] : []), ...busy];
      return subscribe(store, stream, members);
    }),
  );
  await Promise.all(crowd.commonStreamIds.map((streamId) => subscribe(store, streamId, newIds)));
  return opened;
}

/** Some days of work: the long topic, a few messages in every stream, and letters between two and between many. */
async function talk(store: Store, crowd: Crowd, streamIds: readonly number[]): Promise<void> {
  const random = randomFrom(5);
  const { readerId, userIds, newIds, startsAt } = crowd;
  const senders = [...userIds, ...newIds].filter((id) => id !== readerId);
  const [deskId = 0, ...otherIds] = streamIds;
  const targets: NewMessage['target'][] = [];
  for (const streamId of otherIds) {
    const count = random.below(4);
    for (let i = 0; i < count; i += 1) {
      targets.push(inTopic(streamId, random.pick(sentences).slice(0, 60).trim()));
    }
  }
  for (const id of newIds.slice(0, 60)) targets.push({ kind: 'private', userIds: [readerId, id] });
  const many = [readerId, ...newIds.slice(0, LONGEST_PRIVATE)];
  if (many.length > 2) targets.push({ kind: 'private', userIds: many });
  for (let i = 0; i < LONG_TOPIC_MESSAGES; i += 1) targets.push(inTopic(deskId, LONG_TOPIC));
  await Promise.all(
    targets.map((target, index) => {
      const among = target.kind === 'private' ? target.userIds.slice(1) : senders;
      return store.appendMessage(
        message({
          ...{ target, senderId: random.pick(among), sentAt: startsAt + index * 60 },
          content: Array.from({ length: 1 + random.below(3) }, () => random.pick(sentences)).join(
            ' ',
          ),
        }),
      );
    }),
  );
}

/** @param dataDir  of a service that does not run */
export async function fillOffice(dataDir: string, plan: CrowdPlan): Promise<void> {
  const store = await openStore({ file: join(dataDir, 'hearth.db') });
  try {
    const crowd = { ...plan, newIds: await hire(store, dataDir, plan) };
    await talk(store, crowd, await openStreams(store, crowd));
  } finally {
    await store.close();
  }
}
