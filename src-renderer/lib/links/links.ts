/** The links between messages: how they are written, and where they lead (API decisions 6). */
import type { Account } from '#shared/bridge/models/client.ts';
import type { Conversation } from '#shared/bridge/models/conversation.ts';
import { encodeNarrowPart } from '#shared/text/mention-syntax.ts';
import { targetOfNarrow, type LinkProblem, type LinkTarget } from './narrow-links.ts';

interface Names {
  readonly streamNameOf: (streamId: number) => string;
  readonly ownUserId: number;
}

/** The address of a conversation, or of a message in it, for people of the organization. */
export function conversationLink(
  address: string,
  conversation: Conversation,
  names: Names,
  messageId: number | null = null,
): string {
  const near = messageId === null ? '' : `/near/${String(messageId)}`;
  if (conversation.kind === 'stream') {
    const { streamId, topic } = conversation;
    const stream = `${String(streamId)}-${encodeNarrowPart(names.streamNameOf(streamId))}`;
    return `${address}/#narrow/stream/${stream}/topic/${encodeNarrowPart(topic)}${near}`;
  }
  const userIds = [...conversation.userIds, names.ownUserId].sort((a, b) => a - b);
  return `${address}/#narrow/pm-with/${userIds.join(',')}-pm${near}`;
}

/** The address of a whole stream. */
export const streamLink = (address: string, streamId: number, names: Names): string =>
  `${address}/#narrow/stream/${String(streamId)}-${encodeNarrowPart(names.streamNameOf(streamId))}`;

/**
 * Where a link of a message leads within the organization: relative, or on the organization's own address. Null for one
 * that leads elsewhere.
 */
export function targetOfLink(
  href: string,
  address: string,
  ownUserId: number,
): LinkTarget | LinkProblem | null {
  const own = href.startsWith(`${address}/`) ? href.slice(address.length) : href;
  const narrow = /^\/?#narrow\/(.+)$/.exec(own)?.[1];
  return narrow === undefined ? null : targetOfNarrow(narrow, ownUserId);
}

const officePrefix = (pin: string): string => `hearth://office/${pin}`;

/**
 * A link that is taken out of the window: by the key of the organization, where that is known, so that it leads there whatever
 * address whoever opens it has.
 */
export const linkToPassOn = (
  link: string,
  { address, pin }: Pick<Account, 'address' | 'pin'>,
): string =>
  pin === undefined || !link.startsWith(`${address}/`)
    ? link
    : `${officePrefix(pin)}${link.slice(address.length)}`;

/** A link that names the organization otherwise, as it is at the address in use: what was written goes on leading there. */
export function linkNow(
  href: string,
  { address, addresses = [], pin }: Pick<Account, 'address' | 'addresses' | 'pin'>,
): string {
  const names = pin === undefined ? addresses : [...addresses, officePrefix(pin)];
  const other = names.find((each) => href.startsWith(`${each}/`));
  return other === undefined ? href : `${address}${href.slice(other.length)}`;
}

/** The file of the service that a link leads to, as a path: `/user_uploads/…`; null for any other link. */
export function filePathOf(href: string, address: string): string | null {
  const path = href.startsWith(`${address}/`) ? href.slice(address.length) : href;
  return /^\/user_uploads\/[^\s]+$/.test(path) ? path : null;
}

/** The last part of a file's path, as people read it. */
export function fileNameOf(path: string): string {
  const last = path.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
