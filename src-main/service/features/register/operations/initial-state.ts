/** What /register returns beside the queue: the state that its events continue (API decisions 9). */
import { stopWords } from '#shared/search/stop-words.ts';
import type { FactName, Facts } from '#service/db/port.ts';
import { COMPATIBLE_VERSION } from '#service/core/rules/organization-defaults.ts';
import { botPart, displayPart, notificationPart, userSettingsPart } from './account.ts';
import { emojiPart } from './emoji.ts';
import { conversationPart, messagePart, starredPart, unreadPart } from './messages.ts';
import { type Part, part, type StateRequest } from './section.ts';
import { pointerPart, presencePart, userStatusPart } from './presence.ts';
import { joinRequestPart, linkifierPart, realmPart } from './organization.ts';
import { defaultStreamPart, mutedTopicPart, streamPart, subscriptionPart } from './streams.ts';
import { alertWordPart, profileFieldPart, userGroupPart, userPart } from './users.ts';

export type { StateRequest } from './section.ts';

const constant = (values: Readonly<Record<string, unknown>>): Part => part([], () => values);

/** Parts that everybody gets who does not choose. What this service does not have is empty. */
const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['message', messagePart],
  ['starred_messages', starredPart],
  ['subscription', subscriptionPart],
  ['stream', streamPart],
  ['default_streams', defaultStreamPart],
  ['default_stream_groups', constant({ realm_default_stream_groups: [] })],
  ['muted_topics', mutedTopicPart],
  ['realm_user', userPart],
  ['realm_bot', botPart],
  ['realm_embedded_bots', constant({ realm_embedded_bots: [] })],
  ['realm_user_groups', userGroupPart],
  ['presence', presencePart],
  ['realm', realmPart],
  ['realm_domains', constant({ realm_domains: [] })],
  ['realm_emoji', emojiPart],
  ['realm_filters', linkifierPart],
  ['custom_profile_fields', profileFieldPart],
  ['update_display_settings', displayPart],
  ['update_global_notifications', notificationPart],
  ['pointer', pointerPart],
  ['alert_words', alertWordPart],
  ['user_status', userStatusPart],
  ['hotspots', constant({ hotspots: [] })],
  ['stop_words', constant({ stop_words: stopWords })],
]);

/** Only where they are named. */
const namedParts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['user_settings', userSettingsPart],
  ['recent_private_conversations', conversationPart],
  ['join_requests', joinRequestPart],
]);

function wantedParts(types: readonly string[] | null): readonly Part[] {
  const isWanted = (type: string): boolean => types?.includes(type) ?? true;
  const wanted = [...parts].flatMap(([type, each]) => (isWanted(type) ? [each] : []));
  const named = [...namedParts].flatMap(([type, each]) =>
    types?.includes(type) === true ? [each] : [],
  );
  const unread = isWanted('message') && isWanted('update_message_flags') ? [unreadPart] : [];
  return [...wanted, ...named, ...unread];
}

/**
 * The facts that the initial data of these types is made of; who subscribes to what is only read for those who ask.
 * @param types  null for everything
 */
export const factsFor = ({
  types,
  includeSubscribers,
}: Pick<StateRequest, 'types' | 'includeSubscribers'>): readonly FactName[] =>
  [...new Set(wantedParts(types).flatMap(({ needs }) => needs))].filter(
    (name) => includeSubscribers || name !== 'members',
  );

/**
 * The initial data of the requested types; unknown names are ignored.
 * @param facts  those of `factsFor` the same types
 */
export function initialState(
  request: StateRequest,
  facts: Partial<Facts>,
): Readonly<Record<string, unknown>> {
  const state: Record<string, unknown> = { zulip_version: COMPATIBLE_VERSION };
  for (const each of wantedParts(request.types)) {
    Object.assign(state, each.write(request, facts as Facts));
  }
  return state;
}
