/** What experimental integrations attach to messages (API decisions 5 and 7.1). */
import { parseJson } from '#shared/api/codecs.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { MessageRow, Operation, Store, Transaction } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkQuota } from '#service/core/quotas.ts';
import { getActableMessage } from './message-access.ts';
import { checkLine } from '#service/core/rules/names.ts';

const MAX_TYPE_CHARACTERS = 60;
const MAX_CONTENT_BYTES = 10_000;

export interface NewSubmessage {
  readonly messageId: number;
  readonly msgType: string;
  readonly content: string;
}

export interface SubmessageOperations {
  /** @throws BAD_REQUEST when the caller does not hold the message, or the content is no JSON or too long */
  readonly addSubmessage: (caller: Caller, submessage: NewSubmessage) => Promise<void>;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** @throws BAD_REQUEST */
export function checkSubmessageLength(content: string): void {
  if (byteLength(content) > MAX_CONTENT_BYTES) {
    throw refusal('submessage_too_long', { limit: MAX_CONTENT_BYTES });
  }
}

interface AttachedContent {
  readonly message: Pick<MessageRow, 'id' | 'stream_id' | 'recipient_id'>;
  readonly senderId: number;
  readonly type: string;
  readonly content: string;
}

/** Step: attaches it and tells those who may read the message. */
export function* attachSubmessage(
  tx: Transaction,
  { message, senderId, type, content }: AttachedContent,
): Operation<void> {
  const messageId = message.id;
  const id = yield* tx.addSubmessage({ messageId, senderId, type, content });
  const whole = { message_id: messageId, submessage_id: id, sender_id: senderId, content };
  yield* tx.record({
    type: 'submessage',
    audience: yield* tx.findAudience(message),
    payload: { msg_type: type, ...whole },
  });
}

export const submessageOperations = (
  store: Store,
  { limits }: Pick<DomainContext, 'limits'>,
): SubmessageOperations => ({
  addSubmessage: (known, { messageId, msgType, content }) =>
    change(store, known, function* (tx, caller) {
      const message = yield* getActableMessage(tx, caller, messageId);
      if (message.is_held === 0) throw refusal('no_such_message');
      const type = checkLine(msgType, 'message_type', MAX_TYPE_CHARACTERS);
      checkSubmessageLength(content);
      if (parseJson(content) === undefined) throw refusal('submessage_not_json');
      yield* checkQuota(tx, limits, { kind: 'submessages', caller, messageId });
      yield* attachSubmessage(tx, { message, senderId: caller.userId, type, content });
    }),
});
