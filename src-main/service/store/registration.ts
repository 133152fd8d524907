/** What /register answers from, read in the transaction that registers the queue. */
import { messageReads } from './messages.ts';
import { type Operation, type Port } from './operation.ts';
import { realmReads } from './realm.ts';
import { streamReads } from './streams.ts';
import { userReads } from './users.ts';

export interface FactRequest {
  readonly userId: number;
  /** UNIX seconds. */
  readonly weekAgoSeconds: number;
}

/** Each kind of fact by itself: only what a call asks for is read. Maps are by recipient id. */
const readers = {
  realm: () => realmReads.findRealm(),
  users: () => userReads.listUsers(),
  streams: () => streamReads.listStreams(),
  subscriptions: ({ userId }: FactRequest) => streamReads.listSubscriptions(userId),
  formerStreamIds: ({ userId }: FactRequest) => streamReads.listFormerStreamIds(userId),
  members: () => streamReads.listAllStreamMembers(),
  weeklyMessages: ({ weekAgoSeconds }: FactRequest) =>
    streamReads.countMessagesSince(weekAgoSeconds),
  newestHeldId: ({ userId }: FactRequest) => messageReads.findNewestHeldId(userId),
  unread: ({ userId }: FactRequest) => messageReads.listUnread(userId),
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
