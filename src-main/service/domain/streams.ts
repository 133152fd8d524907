/** Looking at streams and subscriptions. */
import { badRequest } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { ListedStream, Stream, Subscription } from '../../contract/models/stream.ts';
import type { Store, StreamRow } from '../store/port.ts';
import type { DomainContext } from './ports.ts';
import { canReadHistory, factsOf } from './rules/permissions.ts';
import { streamShape, subscriptionShape, WEEK_SECONDS } from './rules/shapes.ts';
import { getVisibleStream } from './stream-access.ts';

export interface StreamList {
  readonly includePublic: boolean;
  readonly includeSubscribed: boolean;
  readonly includeAllActive: boolean;
  readonly includeDefault: boolean;
  readonly includeOwnerSubscribed: boolean;
}

/** Those that name one stream throw BAD_REQUEST when it is absent, archived or hidden from the caller. */
export interface StreamOperations {
  readonly listSubscriptions: (
    caller: Caller,
    includeSubscribers: boolean,
  ) => Promise<readonly Subscription[]>;
  /** @throws BAD_REQUEST when a caller who is no administrator asks for all streams */
  readonly listStreams: (caller: Caller, wanted: StreamList) => Promise<readonly Stream[]>;
  readonly getStream: (caller: Caller, streamId: number) => Promise<ListedStream>;
  readonly getStreamId: (caller: Caller, name: string) => Promise<number>;
  /** E-mail addresses of the subscribers. */
  readonly listMembers: (caller: Caller, streamId: number) => Promise<readonly string[]>;
  /** @throws BAD_REQUEST also when there is no such account */
  readonly isSubscribed: (caller: Caller, userId: number, streamId: number) => Promise<boolean>;
  readonly listTopics: (
    caller: Caller,
    streamId: number,
  ) => Promise<readonly { readonly name: string; readonly max_id: number }[]>;
}

type StreamStore = Pick<
  Store,
  | 'countMessagesSince'
  | 'findStream'
  | 'findStreamByName'
  | 'findUser'
  | 'isMember'
  | 'listAllStreamMembers'
  | 'listMemberIds'
  | 'listStreams'
  | 'listSubscriptions'
  | 'listTopics'
  | 'listUsers'
>;

type Lists = Pick<StreamOperations, 'listSubscriptions' | 'listStreams'>;

async function listEmails(store: StreamStore): Promise<ReadonlyMap<number, string>> {
  return new Map((await store.listUsers()).map((user) => [user.id, user.email]));
}

const emailsOf = (ids: readonly number[], emails: ReadonlyMap<number, string>): readonly string[] =>
  ids.map((id) => emails.get(id) ?? '');

function listing(store: StreamStore, context: DomainContext): Lists {
  return {
    async listSubscriptions(caller, includeSubscribers) {
      const nowSeconds = context.nowSeconds();
      const traffic = {
        nowSeconds,
        weeklyMessages: await store.countMessagesSince(nowSeconds - WEEK_SECONDS),
      };
      const rows = await store.listSubscriptions(caller.userId);
      const shapes = rows.map((row) => subscriptionShape(row, traffic));
      if (!includeSubscribers) return shapes;
      const members = await store.listAllStreamMembers();
      const emails = await listEmails(store);
      return shapes.map((shape, index) => ({
        ...shape,
        subscribers: [...emailsOf(members.get(rows[index]?.recipient_id ?? 0) ?? [], emails)],
      }));
    },
    async listStreams(caller, wanted) {
      if (wanted.includeAllActive && caller.role !== 'admin') {
        throw badRequest('User not authorized for this query');
      }
      const subscribedIds = async (userId: number): Promise<ReadonlySet<number>> =>
        new Set((await store.listSubscriptions(userId)).map((row) => row.id));
      const own = await subscribedIds(caller.userId);
      const ownerId = wanted.includeOwnerSubscribed ? caller.ownerId : null;
      const owners = ownerId === null ? new Set<number>() : await subscribedIds(ownerId);
      const isPublic = (row: StreamRow): boolean => row.is_private === 0 && caller.role !== 'guest';
      const isWanted = (row: StreamRow): boolean =>
        wanted.includeAllActive ||
        (wanted.includePublic && isPublic(row)) ||
        (wanted.includeSubscribed && own.has(row.id)) ||
        owners.has(row.id) ||
        (wanted.includeDefault && row.is_default === 1 && isPublic(row));
      const rows = (await store.listStreams()).filter(isWanted);
      rows.sort((a, b) => (a.name_key < b.name_key ? -1 : 1));
      return rows.map((row) => ({
        ...streamShape(row),
        ...(wanted.includeDefault ? { is_default: row.is_default === 1 } : {}),
      }));
    },
  };
}

export const streamOperations = (store: StreamStore, context: DomainContext): StreamOperations => ({
  ...listing(store, context),
  async getStream(caller, streamId) {
    return streamShape((await getVisibleStream(store, caller, streamId)).stream);
  },
  async getStreamId(caller, name) {
    return (await getVisibleStream(store, caller, name)).stream.id;
  },
  async listMembers(caller, streamId) {
    const { stream } = await getVisibleStream(store, caller, streamId);
    return emailsOf(await store.listMemberIds(stream.recipient_id), await listEmails(store));
  },
  async isSubscribed(caller, userId, streamId) {
    const { stream } = await getVisibleStream(store, caller, streamId);
    const user = await store.findUser(userId);
    if (user === undefined) throw badRequest('Invalid user ID');
    return user.is_active === 1 && (await store.isMember(stream.recipient_id, userId));
  },
  async listTopics(caller, streamId) {
    const { stream, isSubscribed } = await getVisibleStream(store, caller, streamId);
    const isOpen = canReadHistory(caller, factsOf(stream), isSubscribed);
    return store.listTopics(stream.recipient_id, caller.userId, isOpen);
  },
});
