/** What the window offers to do with a message (API decisions 7.1 and 7.2). */
import type { OrganizationSettings } from '#shared/api/models/organization-settings.ts';
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

type Facts = Pick<ShownMessage, 'isOwn' | 'sentAtSeconds' | 'conversation' | 'editedAtSeconds'>;

export function messageRights(
  { isOwn, sentAtSeconds, conversation, editedAtSeconds }: Facts,
  actor: Actor,
  settings: OrganizationSettings,
  nowSeconds: number,
): MessageRights {
  const topic = conversation.kind === 'stream' ? conversation.topic : null;
  const facts = { isOwn, ageSeconds: nowSeconds - sentAtSeconds, hasNoTopic: topic === NO_TOPIC };
  const { allow_message_editing: allowsEditing, allow_edit_history: showsHistory } = settings;
  const canEditTopic =
    allowsEditing && topic !== null && mayEditTopic(actor, facts, settings) === 'yes';
  return {
    canEditContent: allowsEditing && mayEditContent(facts, settings) === 'yes',
    canEditTopic,
    canChangeStream: canEditTopic && canMoveBetweenStreams(actor),
    canDelete: mayDeleteMessage(actor, facts, settings) === 'yes',
    canSeeHistory: showsHistory && editedAtSeconds !== null,
  };
}

/** Which messages a change of topic or stream takes along, as the service calls it. */
export type MoveScope = 'change_one' | 'change_later' | 'change_all';
