/** What /register answers from, read outside the writer. */
import { botReads } from './people/bots.ts';
import { messageReads } from './messages/messages.ts';
import { joinRequestReads } from './people/join-requests.ts';
import { alertWordReads } from './people/alert-words.ts';
import { linkifierReads } from './organization/linkifiers.ts';
import { mutedTopicReads } from './streams/muted-topics.ts';
import { type Operation, type Port } from './operation.ts';
import { emojiReads } from './organization/emoji.ts';
import { presenceReads } from './people/presence.ts';
import { profileReads } from './people/profile-fields.ts';
import { realmReads } from './organization/realm.ts';
import { streamReads } from './streams/streams.ts';
import { trafficReads } from './streams/traffic.ts';
import { unreadReads } from './reading/unread-list.ts';
import { userGroupReads } from './people/user-groups.ts';
import { userReads } from './people/users.ts';

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
