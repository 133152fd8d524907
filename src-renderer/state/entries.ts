import { conversationKey, type ShownMessage } from '../../src-main/contract/models/client.ts';
import { dayKey } from '../text/dates.ts';

/** What stands below each other in a message list. */
export type Entry =
  | { readonly kind: 'date'; readonly key: string; readonly atSeconds: number }
  | {
      readonly kind: 'topic';
      readonly key: string;
      readonly streamId: number;
      readonly topic: string;
    }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly message: ShownMessage;
      /** The sender is named here; messages that follow shortly after belong below. */
      readonly startsGroup: boolean;
    };

const GROUP_SECONDS = 10 * 60;

const isSameDay = (a: ShownMessage, b: ShownMessage): boolean =>
  dayKey(a.sentAtSeconds) === dayKey(b.sentAtSeconds);

const isSameConversation = (a: ShownMessage, b: ShownMessage): boolean =>
  conversationKey(a.conversation) === conversationKey(b.conversation);

const isSameGroup = (start: ShownMessage, message: ShownMessage): boolean =>
  start.senderId === message.senderId &&
  message.sentAtSeconds - start.sentAtSeconds < GROUP_SECONDS;

function* topicEntry({ id, conversation }: ShownMessage): Generator<Entry> {
  if (conversation.kind !== 'stream') return;
  const { streamId, topic } = conversation;
  yield { kind: 'topic', key: `topic-${id}`, streamId, topic };
}

function* generateEntries(
  messages: readonly ShownMessage[],
  showsTopics: boolean,
): Generator<Entry> {
  let previous: ShownMessage | undefined;
  let groupStart: ShownMessage | undefined;
  for (const message of messages) {
    const isNewDay = previous === undefined || !isSameDay(previous, message);
    const breaks = isNewDay || previous === undefined || !isSameConversation(previous, message);
    if (isNewDay) {
      yield { kind: 'date', key: `date-${message.id}`, atSeconds: message.sentAtSeconds };
    }
    if (breaks && showsTopics) yield* topicEntry(message);
    const startsGroup = breaks || groupStart === undefined || !isSameGroup(groupStart, message);
    if (startsGroup) groupStart = message;
    yield { kind: 'message', key: String(message.id), message, startsGroup };
    previous = message;
  }
}

/**
 * @param messages  ascending by id
 * @param showsTopics  name the topic where it changes: the list shows more than one
 */
export const entriesOf = (
  messages: readonly ShownMessage[],
  showsTopics: boolean,
): readonly Entry[] => [...generateEntries(messages, showsTopics)];

/** Both lists as one, ascending by id, every message once; `fresh` wins. */
export function mergeMessages(
  known: readonly ShownMessage[],
  fresh: readonly ShownMessage[],
): readonly ShownMessage[] {
  const byId = new Map([...known, ...fresh].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
