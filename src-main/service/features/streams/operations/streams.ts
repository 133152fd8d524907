/** Looking at streams and subscriptions. */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { ListedStream, Stream, Subscription } from '#shared/api/models/stream.ts';
import type { AccountRow, Store, StreamRow } from '#service/db/port.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { streamShape, subscriptionShape, WEEK_SECONDS } from '#service/core/rules/shapes.ts';
import { getVisibleStream } from '#service/core/stream-access.ts';

export interface StreamList {
  readonly includePublic: boolean;
  readonly includeSubscribed: boolean;
  readonly includeAllActive: boolean;
  readonly includeDefault: boolean;
  readonly includeOwnerSubscribed: boolean;
  readonly includeArchived: boolean;
}

/** Those that name one stream throw BAD_REQUEST when it is absent, archived or hidden from the caller. */
export interface StreamOperations {
  readonly listSubscriptions: (
    caller: Caller,
    includeSubscribers: boolean,
  ) => Promise<readonly Subscription[]>;
  /** @throws BAD_REQUEST when a caller who is no administrator asks for all or for archived streams */
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

type Lists = Pick<StreamOperations, 'listSubscriptions' | 'listStreams'>;

const emailsById = (users: readonly AccountRow[]): ReadonlyMap<number, string> =>
  new Map(users.map((user) => [user.id, user.email]));

const emailsOf = (ids: readonly number[], emails: ReadonlyMap<number, string>): readonly string[] =>
  ids.map((id) => emails.get(id) ?? '');

const byName = (a: StreamRow, b: StreamRow): number =>
  a.name_key < b.name_key ? -1 : a.name_key > b.name_key ? 1 : a.id - b.id;

type OwnOfArchived = Pick<Stream, 'is_archived' | 'archived_at' | 'returning_user_ids'>;

/** Every archived stream with what only such ones have. */
const listArchived = (
  store: Store,
): Promise<readonly { readonly row: StreamRow; readonly own: OwnOfArchived }[]> =>
  store.read(function* (tx) {
    const rows = yield* tx.listArchivedStreams();
    const returning = yield* tx.listReturning();
    return rows.toSorted(byName).map((row) => {
      const ids = returning.get(row.recipient_id) ?? [];
      return {
        row,
        own: { is_archived: true, archived_at: row.archived_at, returning_user_ids: [...ids] },
      };
    });
  });

function listing(store: Store, context: DomainContext): Lists {
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
      const emails = emailsById(await store.listUsers());
      return shapes.map((shape, index) => ({
        ...shape,
        subscribers: [...emailsOf(members.get(rows[index]?.recipient_id ?? 0) ?? [], emails)],
      }));
    },
    async listStreams(caller, wanted) {
      if ((wanted.includeAllActive || wanted.includeArchived) && caller.role !== 'admin') {
        throw refusal('not_allowed_to_query');
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
      const shown = (row: StreamRow): Stream => ({
        ...streamShape(row),
        ...(wanted.includeDefault ? { is_default: row.is_default === 1 } : {}),
      });
      const rows = (await store.listStreams()).filter(isWanted).sort(byName);
      if (!wanted.includeArchived) return rows.map(shown);
      const active = rows.map((row) => ({ ...shown(row), is_archived: false }));
      const archived = await listArchived(store);
      return [...active, ...archived.map(({ row, own }) => ({ ...shown(row), ...own }))];
    },
  };
}

export const streamOperations = (store: Store, context: DomainContext): StreamOperations => ({
  ...listing(store, context),
  getStream: (caller, streamId) =>
    store.read(function* (tx) {
      return streamShape((yield* getVisibleStream(tx, caller, streamId)).stream);
    }),
  getStreamId: (caller, name) =>
    store.read(function* (tx) {
      return (yield* getVisibleStream(tx, caller, name)).stream.id;
    }),
  listMembers: (caller, streamId) =>
    store.read(function* (tx) {
      const { stream } = yield* getVisibleStream(tx, caller, streamId);
      const emails = emailsById(yield* tx.listUsers());
      return emailsOf(yield* tx.listMemberIds(stream.recipient_id), emails);
    }),
  isSubscribed: (caller, userId, streamId) =>
    store.read(function* (tx) {
      const { stream } = yield* getVisibleStream(tx, caller, streamId);
      const user = yield* tx.findUser(userId);
      if (user === undefined) throw refusal('no_user_with_id');
      return user.is_active === 1 && (yield* tx.isMember(stream.recipient_id, userId));
    }),
  listTopics: (caller, streamId) =>
    store.read(function* (tx) {
      const { stream, isHistoryOpen } = yield* getVisibleStream(tx, caller, streamId);
      return yield* tx.listTopics(stream.recipient_id, caller.userId, isHistoryOpen);
    }),
});
