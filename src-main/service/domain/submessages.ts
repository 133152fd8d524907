/** What experimental integrations attach to messages (API decisions, sections 5 and 7.1). */
import { parseJson } from '../../contract/codecs.ts';
import { badRequest, invalidMessage } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Store } from '../store/port.ts';
import { getVisibleMessage, type MessageAccessStore } from './message-access.ts';
import { checkLine } from './rules/names.ts';

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

export const submessageOperations = (
  store: MessageAccessStore & Pick<Store, 'addSubmessage'>,
): SubmessageOperations => ({
  async addSubmessage(caller, { messageId, msgType, content }) {
    const message = await getVisibleMessage(store, caller, messageId);
    if (message.is_held === 0) throw invalidMessage();
    const type = checkLine(msgType, 'Message type', MAX_TYPE_CHARACTERS);
    if (byteLength(content) > MAX_CONTENT_BYTES) {
      throw badRequest(`Submessage too long (limit: ${String(MAX_CONTENT_BYTES)} bytes)`);
    }
    if (parseJson(content) === undefined) throw badRequest('Invalid json for submessage');
    const submessage = { messageId, senderId: caller.userId, type, content };
    await store.addSubmessage(submessage, message.recipient_id);
  },
});
