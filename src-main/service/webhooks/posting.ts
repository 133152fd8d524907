/** Where the messages of a delivery go, and what becomes of them where there is no such stream (API decisions 12.1). */
import { ServiceError } from '#shared/api/errors.ts';
import type { Caller } from '../core/ports/handlers.ts';
import type { Draft, MessageOperations } from '../features/messages/operations/messages.ts';
import { NO_TOPIC_NAME } from '../features/messages/operations/topic-names.ts';
import { truncateContent } from '../features/messages/rules/content.ts';
import { TOPIC_CHARACTERS } from '#shared/api/bounds.ts';
import { countCharacters, cutCharacters } from '../core/rules/names.ts';
import type { StreamReference } from '../features/messages/rules/recipients.ts';
import type { Message } from './common/integration.ts';
import type { Notices } from './notices.ts';

export interface Destination {
  readonly stream: string | undefined;
  /** Undefined for the integration's own. */
  readonly topic: string | undefined;
}

/** Only webhooks cut: their sender cannot correct the text (API decisions 2.4). */
function topicOf(topic: string): string {
  const clean = topic.replace(/[\s\p{Cc}]+/gu, ' ').trim() || NO_TOPIC_NAME;
  return countCharacters(clean) > TOPIC_CHARACTERS
    ? `${cutCharacters(clean, TOPIC_CHARACTERS - 3)}...`
    : clean;
}

const referTo = (stream: string): StreamReference =>
  /^\d{1,15}$/.test(stream)
    ? { kind: 'id', id: Number(stream), digits: stream }
    : { kind: 'name', name: stream };

/** Some senders encode twice. */
function decodeAgain(value: string): string {
  if (!/%[0-9a-f]{2}/i.test(value)) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** An argument that says something. */
export const given = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim();

export function destinationOf(params: {
  readonly stream: string | undefined;
  readonly topic: string | undefined;
}): Destination {
  const topic = given(params.topic);
  return {
    stream: given(params.stream),
    topic: topic === undefined ? undefined : given(decodeAgain(topic)),
  };
}

function targetOf(caller: Caller, { stream }: Destination, topic: string): Draft['target'] {
  if (stream === undefined) {
    const userIds = [caller.ownerId ?? caller.userId];
    return { kind: 'private', recipients: { emails: [], userIds } };
  }
  return { kind: 'stream', stream: referTo(stream), topic: topicOf(topic) };
}

/** The stream as it was sent comes first: one may really be called so. */
function streamsOf(stream: string | undefined): readonly (string | undefined)[] {
  if (stream === undefined) return [undefined];
  return [...new Set([stream, given(decodeAgain(stream)) ?? stream])];
}

const isMissingStream = (reason: unknown): reason is ServiceError =>
  reason instanceof ServiceError && reason.code === 'STREAM_DOES_NOT_EXIST';

export interface Posting {
  readonly caller: Caller;
  readonly client: string;
  readonly to: Destination;
  /** Whether whoever owns the bot looks on: then nobody has to be told what went wrong. */
  readonly isWatched: boolean;
}

/** Posts one message; answers its id. */
export type Post = (posting: Posting, message: Message) => Promise<number>;

/** @throws what sending a message throws; of a missing stream the owner is told, with the message */
export const createPost =
  (domain: MessageOperations, notices: Pick<Notices, 'reportUndelivered'>): Post =>
  async ({ caller, client, to, isWatched }, { topic: ownTopic, content: { source } }) => {
    const content = truncateContent(source);
    let refusal: unknown;
    for (const stream of streamsOf(to.stream)) {
      try {
        const target = targetOf(caller, { ...to, stream }, to.topic ?? ownTopic);
        return await domain.sendMessage(caller, { client, content, echo: null, target });
      } catch (reason) {
        if (!isMissingStream(reason)) throw reason;
        refusal = reason;
      }
    }
    if (isMissingStream(refusal) && !isWatched) {
      await notices.reportUndelivered(caller, String(refusal.data['stream']), content);
    }
    throw refusal;
  };
