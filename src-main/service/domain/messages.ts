/** Sending messages. */
import { badRequest, streamDoesNotExist } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { AccountRow, NewDelivery, NewMessage, Store, StreamRow } from '../store/port.ts';
import { uniqueIdOf } from './local-ids.ts';
import type { DomainContext } from './ports.ts';
import { OUTGOING_WEBHOOK_BOT } from './rules/bots.ts';
import { checkContent } from './rules/content.ts';
import { fold } from '../../contract/fold.ts';
import { checkTopic } from './rules/names.ts';
import { canFindToPost, canPost, factsOf, type Reach } from './rules/permissions.ts';
import type { Alerts } from './alert-words.ts';
import type { RenderingOperations } from './rendering.ts';
import type { MessageTarget, PrivateRecipients, StreamReference } from './rules/recipients.ts';
import { checkSendingPolicies, type PolicyStore } from './sending-policies.ts';
import { type FileAccessStore, sharedPaths } from './uploads.ts';

const MAX_PARTICIPANTS = 100;

export interface Draft {
  readonly client: string;
  readonly content: string;
  readonly echo: { readonly queueId: string; readonly localId: string } | null;
  /** The sender's own id. One that is unique sends one message, however often it comes. */
  readonly localId?: string | undefined;
  readonly target: MessageTarget;
}

export interface MessageOperations {
  /**
   * Sends a message; settles when it is on disk. A send that is repeated under a unique local id does nothing, whatever
   * became of the message and of the rights to send it.
   * @returns its id
   * @throws STREAM_DOES_NOT_EXIST, BAD_REQUEST (specification 4, POST /messages)
   */
  readonly sendMessage: (caller: Caller, draft: Draft) => Promise<number>;
}

type MessageStore = FileAccessStore &
  PolicyStore &
  Pick<
    Store,
    | 'appendMessage'
    | 'findSentMessage'
    | 'findStream'
    | 'findStreamByName'
    | 'findUser'
    | 'findUserByEmail'
    | 'isMember'
  >;

/** What a sender reaches of a stream: a bot also has its owner's reach (API decisions, section 10.4). */
async function reachOf(store: MessageStore, caller: Caller, stream: StreamRow): Promise<Reach> {
  const isIn = (userId: number): Promise<boolean> => store.isMember(stream.recipient_id, userId);
  const own: Reach = {
    isAdmin: caller.role === 'admin',
    isGuest: caller.role === 'guest',
    isSubscribed: await isIn(caller.userId),
  };
  const owner = caller.ownerId === null ? undefined : await store.findUser(caller.ownerId);
  if (owner === undefined) return own;
  return {
    isAdmin: own.isAdmin || owner.role === 'admin',
    isGuest: own.isGuest || owner.role === 'guest',
    isSubscribed: own.isSubscribed || (await isIn(owner.id)),
  };
}

interface Found {
  readonly stream: StreamRow;
  readonly reach: Reach;
}

/** The stream with what the caller reaches of it; undefined when it is absent or hidden from the caller. */
async function findReferenced(
  store: MessageStore,
  caller: Caller,
  reference: StreamReference,
): Promise<Found | undefined> {
  const visible = async (stream: StreamRow | undefined): Promise<Found | undefined> => {
    if (stream === undefined) return undefined;
    const reach = await reachOf(store, caller, stream);
    return canFindToPost(reach, factsOf(stream)) ? { stream, reach } : undefined;
  };
  if (reference.kind === 'id') {
    const byId = await store.findStream(reference.id);
    const found = byId?.is_archived === 0 ? await visible(byId) : undefined;
    if (found !== undefined) return found;
  }
  const name = reference.kind === 'id' ? reference.digits : reference.name;
  return visible(await store.findStreamByName(fold(name)));
}

async function openStream(
  store: MessageStore,
  caller: Caller,
  reference: StreamReference,
): Promise<StreamRow> {
  const found = await findReferenced(store, caller, reference);
  if (found === undefined) {
    throw streamDoesNotExist(reference.kind === 'id' ? reference.id : reference.name);
  }
  const { stream, reach } = found;
  if (!canPost(reach, factsOf(stream))) {
    throw badRequest(
      stream.is_announcement_only === 1
        ? `Only organization administrators can send to the stream '${stream.name}'`
        : `Not authorized to send to the stream '${stream.name}'`,
    );
  }
  return stream;
}

export type ParticipantStore = Pick<Store, 'findUser' | 'findUserByEmail'>;

/**
 * The participants of the private conversation of the caller with others, the caller first.
 * @throws BAD_REQUEST when one is unknown or no longer active, or when there are too many
 */
export async function openParticipants(
  store: ParticipantStore,
  caller: Caller,
  recipients: PrivateRecipients,
): Promise<readonly number[]> {
  const named: AccountRow[] = [];
  const take = (user: AccountRow | undefined, name: string): void => {
    if (user === undefined) throw badRequest(`Invalid email '${name}'`);
    if (user.is_active === 0)
      throw badRequest(`'${user.email}' is no longer using this organization`);
    named.push(user);
  };
  for (const email of recipients.emails) take(await store.findUserByEmail(fold(email)), email);
  for (const id of recipients.userIds) {
    const user = await store.findUser(id);
    if (user === undefined) throw badRequest(`Invalid user ID ${String(id)}`);
    take(user, user.email);
  }
  const ids = [...new Set([caller.userId, ...named.map((user) => user.id)])];
  if (ids.length > MAX_PARTICIPANTS) {
    throw badRequest(`Too many recipients (limit: ${String(MAX_PARTICIPANTS)})`);
  }
  return ids;
}

/** Bots never set off bots, or two of them would go on without end. */
async function deliveriesOf(
  store: MessageStore,
  caller: Caller,
  target: NewMessage['target'],
  mentionedUserIds: readonly number[],
): Promise<readonly NewDelivery[]> {
  if (caller.botType !== null) return [];
  const isPrivate = target.kind === 'private';
  const deliveries: NewDelivery[] = [];
  for (const id of isPrivate ? target.userIds : mentionedUserIds) {
    const bot = id === caller.userId ? undefined : await store.findUser(id);
    if (bot?.bot_type !== OUTGOING_WEBHOOK_BOT || bot.is_active === 0) continue;
    deliveries.push({ botId: id, trigger: isPrivate ? 'private_message' : 'mention' });
  }
  return deliveries;
}

export function messageOperations(
  store: MessageStore,
  context: DomainContext,
  rendering: RenderingOperations,
  alerts: Pick<Alerts, 'find'>,
): MessageOperations {
  async function openTarget(
    caller: Caller,
    target: Draft['target'],
  ): Promise<NewMessage['target']> {
    if (target.kind === 'private') {
      return { kind: 'private', userIds: await openParticipants(store, caller, target.recipients) };
    }
    const topic = checkTopic(target.topic);
    const stream = await openStream(store, caller, target.stream);
    return { kind: 'stream', streamId: stream.id, topic, topicKey: fold(topic) };
  }

  return {
    async sendMessage(caller, draft) {
      const content = checkContent(draft.content);
      const localId = await uniqueIdOf(draft.localId, draft.target, content);
      if (localId !== undefined) {
        const sentId = await store.findSentMessage(caller.userId, localId);
        if (sentId !== undefined) return sentId;
      }
      const target = await openTarget(caller, draft.target);
      await checkSendingPolicies(store, caller, target);
      const rendered = await rendering.render(caller, content);
      return store.appendMessage({
        senderId: caller.userId,
        client: draft.client,
        content,
        rendered: rendered.html,
        isMeMessage: rendered.isMeMessage,
        hasWildcardMention: rendered.hasWildcardMention,
        hasLink: rendered.hasLink,
        hasImage: rendered.hasImage,
        hasAttachment: rendered.hasAttachment,
        attachmentPaths: await sharedPaths(store, caller, rendered),
        mentionedUserIds: rendered.mentionedUserIds,
        deliveries: await deliveriesOf(store, caller, target, rendered.mentionedUserIds),
        alertedUserIds: await alerts.find(rendered.html),
        sentAt: context.nowSeconds(),
        echo: draft.echo,
        localId,
        target,
      });
    },
  };
}
