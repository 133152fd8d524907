/** Local ids of senders: which of them name one message for good. */
import type { LocalId } from '#service/db/port.ts';
import type { MessageTarget } from '../rules/recipients.ts';

/**
 * A UUID that is made at random or of the time (RFC 9562, versions 4 and 7): nobody makes the same one twice. Other
 * clients number what they send anew in each session, and their ids say nothing about another session's.
 */
const UNIQUE = /^[\da-f]{8}-[\da-f]{4}-[47][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const DIGEST_BYTES = 16;

const encoder = new TextEncoder();

/** What the sender asked for, before anything of it is looked up: names may mean something else by now. */
function placeOf(target: MessageTarget): readonly unknown[] {
  if (target.kind === 'stream') {
    const { stream, topic } = target;
    return [stream.kind === 'id' ? stream.id : stream.name, topic.trim()];
  }
  const { emails, userIds } = target.recipients;
  return [[...emails].sort(), [...userIds].sort((a, b) => a - b)];
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', encoder.encode(JSON.stringify(value)));
  return [...new Uint8Array(bytes, 0, DIGEST_BYTES)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

interface Identified {
  readonly localId?: string | undefined;
  readonly target: MessageTarget;
  readonly widget?: string | undefined;
}

/**
 * A sender's id of a message, as it is kept; undefined where it may be used again.
 * @param content  as it is stored
 */
export async function uniqueIdOf(
  { localId, target, widget }: Identified,
  content: string,
): Promise<LocalId | undefined> {
  const text = localId?.toLowerCase();
  if (text === undefined || !UNIQUE.test(text)) return undefined;
  const attached = widget === undefined ? [] : [widget];
  return { text, digest: await digestOf([target.kind, ...placeOf(target), content, ...attached]) };
}
