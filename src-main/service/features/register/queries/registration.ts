/** What /register answers from, read outside the writer. */
import { botReads } from '#service/features/bots/queries/bots.ts';
import { messageReads } from '#service/features/messages/queries/messages.ts';
import { joinRequestReads } from '#service/features/people/queries/join-requests.ts';
import { alertWordReads } from '#service/features/people/queries/alert-words.ts';
import { linkifierReads } from '#service/features/organization/queries/linkifiers.ts';
import { mutedTopicReads } from '#service/features/streams/queries/muted-topics.ts';
import { type Operation, type Port } from '#service/db/operation.ts';
import { emojiReads } from '#service/features/organization/queries/emoji.ts';
import { presenceReads } from '#service/features/people/queries/presence.ts';
import { profileReads } from '#service/features/people/queries/profile-fields.ts';
import { realmReads } from '#service/features/organization/queries/organization.ts';
import { streamReads } from '#service/features/streams/queries/streams.ts';
import { trafficReads } from '#service/features/streams/queries/traffic.ts';
import { unreadReads } from '#service/features/reading/queries/unread-list.ts';
import { userGroupReads } from '#service/features/people/queries/user-groups.ts';
import { userReads } from '#service/features/people/queries/users.ts';

export interface FactRequest {
  readonly userId: number;
  /** UNIX seconds. */
  readonly weekAgoSeconds: number;
}

/** People are forgotten after two weeks without a sign (API decisions 13). */
const WEEK_SECONDS = 7 * 86_400;

/** Each kind of fact by itself: only what a call asks for is read. Maps are by recipient id. */
const readers = {
  realm: () => realmReads.findRealm(),
  users: () => userReads.listUsers(),
  userGroups: () => userGroupReads.listUserGroups(),
  profileFields: () => profileReads.listProfileFields(),
  profileValues: () => profileReads.listProfileValues(),
  botServices: () => botReads.listBotServices(),
  streams: () => streamReads.listStreams(),
  subscriptions: ({ userId }: FactRequest) => streamReads.listSubscriptions(userId),
  formerStreamIds: ({ userId }: FactRequest) => streamReads.listFormerStreamIds(userId),
  mutedTopics: ({ userId }: FactRequest) => mutedTopicReads.listMutedTopics(userId),
  linkifiers: () => linkifierReads.listLinkifiers(),
  emoji: () => emojiReads.listEmoji(),
  presences: ({ weekAgoSeconds }: FactRequest) =>
    presenceReads.listPresences(weekAgoSeconds - WEEK_SECONDS),
  statuses: () => presenceReads.listStatuses(),
  pointer: ({ userId }: FactRequest) => presenceReads.findPointer(userId),
  members: () => streamReads.listAllStreamMembers(),
  weeklyMessages: ({ weekAgoSeconds }: FactRequest) =>
    trafficReads.countMessagesSince(weekAgoSeconds),
  newestHeldId: ({ userId }: FactRequest) => unreadReads.findNewestHeldId(userId),
  alertWords: ({ userId }: FactRequest) => alertWordReads.listAlertWords(userId),
  starredIds: ({ userId }: FactRequest) => unreadReads.listStarredIds(userId),
  unread: ({ userId }: FactRequest) => unreadReads.listUnread(userId),
  joinRequestCount: ({ weekAgoSeconds }: FactRequest) =>
    joinRequestReads.countJoinRequests(weekAgoSeconds + WEEK_SECONDS),
  privateConversations: ({ userId }: FactRequest) => messageReads.listPrivateConversations(userId),
};

type Readers = Port<typeof readers>;

export type Facts = { readonly [K in keyof Readers]: Awaited<ReturnType<Readers[K]>> };
export type FactName = keyof Facts;

/** Step: reads the named facts. */
export function* readFacts(
  names: Iterable<FactName>,
  request: FactRequest,
): Operation<Partial<Facts>> {
  const facts: Record<string, unknown> = {};
  for (const name of names) {
    const read = readers[name] as (request: FactRequest) => Operation<unknown>;
    facts[name] = yield* read(request);
  }
  return facts;
}
