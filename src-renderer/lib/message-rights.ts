/** What the window offers to do with a message (API decisions 7.1 and 7.2). */
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { Actor } from '#shared/policies/actor.ts';
import {
  canMoveBetweenStreams,
  mayDeleteMessage,
  mayEditContent,
  mayEditTopic,
} from '#shared/policies/messages.ts';
import { NO_TOPIC } from './writing/no-topic.ts';

export interface MessageRights {
  readonly canEditContent: boolean;
  readonly canEditTopic: boolean;
  readonly canChangeStream: boolean;
  readonly canDelete: boolean;
  readonly canSeeHistory: boolean;
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

export function messageRights(
  { isOwn, sentAtSeconds, conversation, editedAtSeconds }: Facts,
  actor: Actor,
  rules: Organization,
  nowSeconds: number,
): MessageRights {
  const topic = conversation.kind === 'stream' ? conversation.topic : null;
  const facts = { isOwn, ageSeconds: nowSeconds - sentAtSeconds, hasNoTopic: topic === NO_TOPIC };
  const { allowsEditing } = rules;
  const canEditContent =
    allowsEditing &&
    mayEditContent(facts, { message_content_edit_limit_seconds: rules.editLimitSeconds }) === 'yes';
  const canEditTopic =
    allowsEditing &&
    topic !== null &&
    mayEditTopic(actor, facts, { allow_community_topic_editing: rules.allowsTopicEditing }) ===
      'yes';
  const deletion = {
    allow_message_deleting: rules.allowsDeleting,
    message_content_delete_limit_seconds: rules.deleteLimitSeconds,
  };
  return {
    canEditContent,
    canEditTopic,
    canChangeStream: canEditTopic && canMoveBetweenStreams(actor),
    canDelete: mayDeleteMessage(actor, facts, deletion) === 'yes',
    canSeeHistory: rules.showsEditHistory && editedAtSeconds !== null,
  };
}

/** Which messages a change of topic or stream takes along, as the service calls it. */
export type MoveScope = 'change_one' | 'change_later' | 'change_all';
