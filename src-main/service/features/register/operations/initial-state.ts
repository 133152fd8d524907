/** What /register returns beside the queue: the state that its events continue (API decisions 9). */
import { stopWords } from '#shared/search/stop-words.ts';
import type { FactName, Facts } from '#service/db/port.ts';
import { COMPATIBLE_VERSION } from '#service/core/rules/organization-defaults.ts';
import { accountParts, namedAccountParts } from './account.ts';
import { emojiParts } from './emoji.ts';
import { messageParts, namedMessageParts, unreadPart } from './messages.ts';
import { type Part, part, type StateRequest } from './section.ts';
import { presenceParts } from './presence.ts';
import { namedOrganizationParts, organizationParts } from './organization.ts';
import { streamParts } from './streams.ts';
import { userParts } from './users.ts';

export type { StateRequest } from './section.ts';

const constant = (values: Readonly<Record<string, unknown>>): Part => part([], () => values);

/** Parts that everybody gets who does not choose. What this service does not have is empty. */
const parts: Readonly<Record<string, Part>> = {
  ...messageParts,
  ...streamParts,
  ...userParts,
  ...presenceParts,
  ...organizationParts,
  ...emojiParts,
  ...accountParts,
  default_stream_groups: constant({ realm_default_stream_groups: [] }),
  realm_embedded_bots: constant({ realm_embedded_bots: [] }),
  realm_domains: constant({ realm_domains: [] }),
  hotspots: constant({ hotspots: [] }),
  stop_words: constant({ stop_words: stopWords }),
};

/** Only where they are named. */
const namedParts: Readonly<Record<string, Part>> = {
  ...namedAccountParts,
  ...namedMessageParts,
  ...namedOrganizationParts,
};

function wantedParts(types: readonly string[] | null): readonly Part[] {
  const isWanted = (type: string): boolean => types?.includes(type) ?? true;
  const wanted = Object.entries(parts).flatMap(([type, each]) => (isWanted(type) ? [each] : []));
  const named = Object.entries(namedParts).flatMap(([type, each]) =>
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
