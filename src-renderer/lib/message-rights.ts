/** What may be done with a message: the service decides by the same rules (API decisions 7.1 and 7.2). */
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import { NO_TOPIC } from './writing/no-topic.ts';

const TOPIC_EDIT_SECONDS = 86_400;

export interface MessageRights {
  readonly canEditContent: boolean;
  readonly canEditTopic: boolean;
  readonly canChangeStream: boolean;
  readonly canDelete: boolean;
  readonly canSeeHistory: boolean;
}

interface Actor {
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
}

type Organization = Pick<
  ClientState['organization'],
  | 'allowsEditing'
  | 'editLimitSeconds'
  | 'allowsTopicEditing'
  | 'allowsDeleting'
  | 'deleteLimitSeconds'
  | 'showsEditHistory'
>;

type Facts = Pick<ShownMessage, 'isOwn' | 'sentAtSeconds' | 'conversation' | 'editedAtSeconds'>;

const isWithin = (ageSeconds: number, limitSeconds: number): boolean =>
  limitSeconds === 0 || ageSeconds <= limitSeconds;

function mayEditTopic(message: Facts, actor: Actor, rules: Organization, age: number): boolean {
  if (!rules.allowsEditing || message.conversation.kind !== 'stream') return false;
  if (message.isOwn || actor.isAdmin || message.conversation.topic === NO_TOPIC) return true;
  return rules.allowsTopicEditing && !actor.isGuest && age <= TOPIC_EDIT_SECONDS;
}

export function messageRights(
  message: Facts,
  actor: Actor,
  rules: Organization,
  nowSeconds: number,
): MessageRights {
  const age = nowSeconds - message.sentAtSeconds;
  const canEditTopic = mayEditTopic(message, actor, rules, age);
  return {
    canEditContent: message.isOwn && rules.allowsEditing && isWithin(age, rules.editLimitSeconds),
    canEditTopic,
    canChangeStream: canEditTopic && actor.isAdmin,
    canDelete:
      actor.isAdmin ||
      (message.isOwn && rules.allowsDeleting && isWithin(age, rules.deleteLimitSeconds)),
    canSeeHistory: rules.showsEditHistory && message.editedAtSeconds !== null,
  };
}

/** Which messages a change of topic or stream takes along, as the service calls it. */
export type MoveScope = 'change_one' | 'change_later' | 'change_all';
