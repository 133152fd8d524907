/** The words of a native notification. */
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { NotificationSettings } from '#shared/api/models/settings.ts';
import { plainText } from '../plain-text.ts';
import type { Notice } from '../ports.ts';

const BODY_LIMIT = 200;

export interface NoticeFacts {
  readonly accountId: string;
  /** Ascending, one at least, all in one conversation. */
  readonly messages: readonly [ShownMessage, ...ShownMessage[]];
  readonly settings: Pick<
    NotificationSettings,
    'pm_content_in_desktop_notifications' | 'realm_name_in_notifications'
  >;
  readonly organizationName: string;
  /** Null for a private conversation, and for a stream that is not known here. */
  readonly streamName: string | null;
  readonly nameOf: (userId: number) => string | undefined;
}

/** One notification for all of them. A click leads to the first, where reading begins. */
export function noticeOf(facts: NoticeFacts): Notice {
  const { accountId, messages, settings, organizationName } = facts;
  const [{ conversation, id: messageId }] = messages;
  const place = placeOf(facts);
  const title = `${sendersOf(messages)}${place === '' ? '' : ` (${place})`}`;
  const hasRealm = settings.realm_name_in_notifications && organizationName !== '';
  return {
    accountId,
    tag: conversationKey(conversation),
    title: hasRealm ? `${title} – ${organizationName}` : title,
    body: bodyOf(facts),
    conversation,
    messageId,
  };
}

function sendersOf(messages: readonly ShownMessage[]): string {
  const [first = '', second, ...others] = [...new Set(messages.map((m) => m.senderName))];
  if (second === undefined) return first;
  if (others.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${others.length === 1 ? '1 other' : `${others.length} others`}`;
}

/** The conversation, as far as the senders do not say it. */
function placeOf({ messages, streamName, nameOf }: NoticeFacts): string {
  const [{ conversation }] = messages;
  if (conversation.kind === 'stream') {
    const topic = conversation.topic === '' ? '' : ` › ${conversation.topic}`;
    return streamName === null ? conversation.topic : `#${streamName}${topic}`;
  }
  const senders = new Set(messages.map(({ senderId }) => senderId));
  const others = conversation.userIds.filter((id) => !senders.has(id));
  if (others.length === 0) return '';
  const known = others.flatMap((id) => nameOf(id) ?? []).slice(0, 2);
  const unnamed = others.length - known.length;
  const rest = unnamed === 0 ? [] : [`${unnamed} ${known.length === 0 ? 'others' : 'more'}`];
  return `with you, ${[...known, ...rest].join(', ')}`;
}

function bodyOf({ messages, settings }: NoticeFacts): string {
  const count = messages.length;
  const last = messages.at(-1) ?? messages[0];
  const isPrivate = last.conversation.kind === 'private';
  if (isPrivate && !settings.pm_content_in_desktop_notifications) {
    return count === 1 ? 'New private message' : `${count} new private messages`;
  }
  const text = plainText(last.rendered, BODY_LIMIT);
  const hasManySenders = messages.some(({ senderId }) => senderId !== last.senderId);
  const said = last.is_me_message ? `${last.senderName} ${text}` : text;
  if (count === 1) return said;
  return `${count} new messages\n${hasManySenders && !last.is_me_message ? `${last.senderName}: ${said}` : said}`;
}
