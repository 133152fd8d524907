/** Sending messages. */
import { OUTGOING_WEBHOOK_BOT } from '#shared/api/bot-types.ts';
import { marksOf } from '#shared/api/models/message-marks.ts';
import { PARTICIPANTS } from '#shared/api/bounds.ts';
import { streamDoesNotExist } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type {
  AccountRow,
  LocalId,
  NewDelivery,
  NewMessage,
  Operation,
  Reading,
  Store,
  StreamRow,
  Transaction,
} from '#service/db/port.ts';
import type { Rendered } from '#service/markdown/render.ts';
import { change, settled } from '#service/core/change.ts';
import { uniqueIdOf } from './local-ids.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkContent } from '../rules/content.ts';
import { fold } from '#shared/text/fold.ts';
import { checkTopic } from '#service/core/rules/names.ts';
import { openTopicName } from './topic-names.ts';
import { accessOf, canFindToPost, canPost, type SenderAccess } from '#shared/policies/streams.ts';
import { factsOf } from '#service/core/rules/permissions.ts';
import type { Alerts } from '#service/core/text/alert-words.ts';
import type { RenderingOperations } from '#service/core/text/rendering.ts';
import type { MessageTarget, PrivateRecipients, StreamReference } from '../rules/recipients.ts';
import { checkSendingPolicies } from './sending-policies.ts';
import { attachSubmessage, checkSubmessageLength } from './submessages.ts';
import { sharedPaths } from '#service/features/files/operations/uploads.ts';

export interface Draft {
  readonly client: string;
  readonly content: string;
  readonly echo: { readonly queueId: string; readonly localId: string } | null;
  /** The sender's own id. One that is unique sends one message, however often it comes. */
  readonly localId?: string | undefined;
  readonly target: MessageTarget;
  /** JSON that is attached to the message, for clients that show such things. */
  readonly widget?: string | undefined;
}

export interface MessageOperations {
  /**
   * Sends a message; settles when it is on disk. A send that is repeated under a unique local id does nothing, whatever
   * became of the message and of the rights to send it.
   * @returns its id
   * @throws STREAM_DOES_NOT_EXIST, BAD_REQUEST (specification 4, POST /messages)
   */
  readonly sendMessage: (caller: Caller, draft: Draft) => Promise<number>;
  /** The HTML that a text would have as the caller's message. @throws BAD_REQUEST when it is too long */
  readonly renderContent: (caller: Caller, content: string) => Promise<string>;
}

/** What a sender reaches of a stream: a bot also has its owner's reach (API decisions 10.4). */
function* senderAccessOf(tx: Reading, caller: Caller, stream: StreamRow): Operation<SenderAccess> {
  const isIn = (userId: number) => tx.isMember(stream.recipient_id, userId);
  const own = accessOf(caller, yield* isIn(caller.userId));
  const owner = caller.ownerId === null ? undefined : yield* tx.findUser(caller.ownerId);
  if (owner === undefined) return own;
  return {
    isAdmin: own.isAdmin || owner.role === 'admin',
    isGuest: own.isGuest || owner.role === 'guest',
    isSubscribed: own.isSubscribed || (yield* isIn(owner.id)),
  };
}

interface FoundStream {
  readonly stream: StreamRow;
  readonly access: SenderAccess;
}

function* visible(
  tx: Reading,
  caller: Caller,
  stream: StreamRow | undefined,
): Operation<FoundStream | undefined> {
  if (stream === undefined) return undefined;
  const access = yield* senderAccessOf(tx, caller, stream);
  return canFindToPost(access, factsOf(stream)) ? { stream, access } : undefined;
}

/** The stream with what the caller reaches of it; undefined when it is absent or hidden from the caller. */
function* findReferenced(
  tx: Reading,
  caller: Caller,
  reference: StreamReference,
): Operation<FoundStream | undefined> {
  if (reference.kind === 'id') {
    const byId = yield* tx.findStream(reference.id);
    const found = byId?.is_archived === 0 ? yield* visible(tx, caller, byId) : undefined;
    if (found !== undefined) return found;
  }
  const name = reference.kind === 'id' ? reference.digits : reference.name;
  return yield* visible(tx, caller, yield* tx.findStreamByName(fold(name)));
}

function* openStream(
  tx: Reading,
  caller: Caller,
  reference: StreamReference,
): Operation<StreamRow> {
  const found = yield* findReferenced(tx, caller, reference);
  if (found === undefined) {
    throw streamDoesNotExist(reference.kind === 'id' ? reference.id : reference.name);
  }
  const { stream, access } = found;
  if (!canPost(access, factsOf(stream))) {
    const { name } = stream;
    throw stream.is_announcement_only === 1
      ? refusal('administrator_sends_to_stream', { name })
      : refusal('sending_to_stream_not_allowed', { name });
  }
  return stream;
}

/**
 * The participants of the private conversation of the caller with others, the caller first.
 * @throws BAD_REQUEST when one is unknown or no longer active, or when there are too many
 */
export function* openParticipants(
  tx: Reading,
  caller: Caller,
  recipients: PrivateRecipients,
): Operation<readonly number[]> {
  const named: AccountRow[] = [];
  const take = (user: AccountRow | undefined, name: string): void => {
    if (user === undefined) throw refusal('no_such_recipient', { email: name });
    if (user.is_active === 0) throw refusal('recipient_left', { email: user.email });
    named.push(user);
  };
  for (const email of recipients.emails) take(yield* tx.findUserByEmail(fold(email)), email);
  for (const id of recipients.userIds) {
    const user = yield* tx.findUser(id);
    if (user === undefined) throw refusal('no_recipient_with_id', { user_id: id });
    take(user, user.email);
  }
  const ids = [...new Set([caller.userId, ...named.map((user) => user.id)])];
  if (ids.length > PARTICIPANTS) {
    throw refusal('too_many_recipients', { limit: PARTICIPANTS });
  }
  return ids;
}

/** Bots never set off bots, or two of them would go on without end. */
function* deliveriesOf(
  tx: Reading,
  caller: Caller,
  target: NewMessage['target'],
  mentionedUserIds: readonly number[],
): Operation<readonly NewDelivery[]> {
  if (caller.botType !== null) return [];
  const isPrivate = target.kind === 'private';
  const deliveries: NewDelivery[] = [];
  for (const id of isPrivate ? target.userIds : mentionedUserIds) {
    const bot = id === caller.userId ? undefined : yield* tx.findUser(id);
    if (bot?.bot_type !== OUTGOING_WEBHOOK_BOT || bot.is_active === 0) continue;
    deliveries.push({ botId: id, trigger: isPrivate ? 'private_message' : 'mention' });
  }
  return deliveries;
}

function* openTarget(
  tx: Reading,
  caller: Caller,
  target: Draft['target'],
): Operation<NewMessage['target']> {
  if (target.kind === 'private') {
    return { kind: 'private', userIds: yield* openParticipants(tx, caller, target.recipients) };
  }
  const written = checkTopic(target.topic);
  const stream = yield* openStream(tx, caller, target.stream);
  const topic = yield* openTopicName(tx, caller, { streamId: stream.id, topic: written });
  return { kind: 'stream', streamId: stream.id, topic, topicKey: fold(topic) };
}

interface PreparedMessage {
  readonly rendered: Rendered;
  readonly alertedUserIds: readonly number[];
}

/** What is known of a message before its transaction. */
interface Sending {
  readonly draft: Draft;
  readonly content: string;
  readonly localId: LocalId | undefined;
  readonly prepared: () => PreparedMessage;
  readonly nowSeconds: () => number;
}

function* send(tx: Transaction, caller: Caller, sending: Sending): Operation<number> {
  const { draft, content, localId, prepared, nowSeconds } = sending;
  const { userId: senderId } = caller;
  const sentId = localId && (yield* tx.findSentMessage(senderId, localId));
  if (sentId !== undefined) return sentId;
  const target = yield* openTarget(tx, caller, draft.target);
  yield* checkSendingPolicies(tx, caller, target);
  const { rendered, alertedUserIds } = prepared();
  const id = yield* tx.appendMessage({
    senderId,
    client: draft.client,
    content,
    rendered: rendered.html,
    ...marksOf(rendered),
    attachmentPaths: yield* sharedPaths(tx, caller, rendered),
    mentionedUserIds: rendered.mentionedUserIds,
    deliveries: yield* deliveriesOf(tx, caller, target, rendered.mentionedUserIds),
    alertedUserIds,
    sentAt: nowSeconds(),
    echo: draft.echo,
    localId,
    target,
  });
  const { widget } = draft;
  if (widget === undefined) return id;
  const message = yield* tx.findMessage(id);
  if (message === undefined) return id;
  yield* attachSubmessage(tx, { message, senderId, type: 'widget', content: widget });
  return id;
}

export function messageOperations(
  store: Store,
  context: DomainContext,
  rendering: RenderingOperations,
  alerts: Pick<Alerts, 'find'>,
): MessageOperations {
  async function prepare(caller: Caller, content: string): Promise<PreparedMessage> {
    const rendered = await rendering.render(caller, content);
    return { rendered, alertedUserIds: await alerts.find(rendered.html) };
  }

  return {
    async sendMessage(known, draft) {
      const content = checkContent(draft.content);
      if (draft.widget !== undefined) checkSubmessageLength(draft.widget);
      const localId = await uniqueIdOf(draft, content);
      const prepared = await settled(prepare(known, content));
      const sending = { draft, content, localId, prepared, nowSeconds: context.nowSeconds };
      return change(store, known, (tx, caller) => send(tx, caller, sending));
    },
    async renderContent(caller, content) {
      if (content.trim() === '') return '';
      return (await rendering.render(caller, checkContent(content))).html;
    },
  };
}
