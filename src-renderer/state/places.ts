import {
  conversationKey,
  type Conversation,
  type View,
} from '../../src-main/contract/models/client.ts';

/** A key that is equal exactly for equal views; that of a conversation is the conversation's. */
export const viewKey = (view: View): string =>
  view.kind === 'stream' && view.topic === null
    ? `stream:${view.streamId}`
    : conversationKey(view as Conversation);

export const isSameView = (a: View | null, b: View | null): boolean =>
  a === b || (a !== null && b !== null && viewKey(a) === viewKey(b));

const decodePart = (part: string): string | null => {
  try {
    return decodeURIComponent(part.replaceAll('.', '%'));
  } catch {
    return null;
  }
};

const leadingIds = (part: string): readonly number[] =>
  (/^\d+(,\d+)*/.exec(part)?.[0] ?? '')
    .split(',')
    .filter((id) => id !== '')
    .map(Number);

function streamView(parts: readonly string[]): View | null {
  const [streamPart = '', operator, topicPart = ''] = parts;
  const streamId = leadingIds(streamPart)[0];
  if (streamId === undefined) return null;
  const topic = operator === 'topic' || operator === 'subject' ? decodePart(topicPart) : null;
  return { kind: 'stream', streamId, topic: topic === '' ? null : topic };
}

/**
 * The view that a link of a message leads to (API decisions, section 6): `#narrow/stream/4-ops/topic/deploy`,
 * relative or on the organization's own address. Null for a link that leads elsewhere.
 */
export function viewOfLink(href: string, address: string, ownUserId: number): View | null {
  const own = href.startsWith(`${address}/`) ? href.slice(address.length) : href;
  const fragment = /^\/?#narrow\/(.+)$/.exec(own)?.[1];
  if (fragment === undefined) return null;
  const [operator, ...rest] = fragment.split('/');
  if (operator === 'stream') return streamView(rest);
  if (operator !== 'pm-with') return null;
  const userIds = leadingIds(rest[0] ?? '').filter((id) => id !== ownUserId);
  return { kind: 'private', userIds: [...userIds] };
}

/** The link as the outside understands it: relative ones stand on the organization's address. */
export function absoluteLink(href: string, address: string): string | null {
  try {
    return new URL(href, `${address}/`).href;
  } catch {
    return null;
  }
}

/** Whether only the computer that runs the service reaches the address. */
export function isLoopback(address: string): boolean {
  try {
    const { hostname } = new URL(address);
    return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  } catch {
    return false;
  }
}
