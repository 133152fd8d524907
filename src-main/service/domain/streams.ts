/** Streams and subscriptions. */
import { badRequest, ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Stream, Subscription } from '../../contract/models/stream.ts';
import type { StreamRequest } from '../../contract/api/streams.ts';
import {
  type AccountRow,
  type Store,
  StreamAppeared,
  type StreamRow,
  type StreamTarget,
  type SubscribeResult,
} from '../store/port.ts';
import type { MessageOperations } from './messages.ts';
import type { DomainContext } from './ports.ts';
import { renderDescription } from '../markdown/render.ts';
import { checkDescription, checkStreamName, fold, normalizeColor } from './rules/names.ts';
import { streamColors } from './rules/palette.ts';
import {
  canCreateStreams,
  canReadHistory,
  canSeeStream,
  canSubscribe,
  canSubscribeOthers,
  factsOf,
} from './rules/permissions.ts';
import { streamShape, subscriptionShape, WEEK_SECONDS } from './rules/shapes.ts';
import { subscribeEvents } from './stream-events.ts';

const MAX_ATTEMPTS = 5;

export interface SubscribeRequest {
  readonly subscriptions: readonly StreamRequest[];
  readonly inviteOnly: boolean;
  readonly principals: readonly (string | number)[];
  readonly authorizationErrorsFatal: boolean;
  readonly historyPublicToSubscribers: boolean | undefined;
  readonly isAnnouncementOnly: boolean;
  readonly announce: boolean;
}

export interface SubscribeAnswer {
  readonly subscribed: Record<string, string[]>;
  readonly already_subscribed: Record<string, string[]>;
  readonly unauthorized?: string[];
}

export interface StreamList {
  readonly includePublic: boolean;
  readonly includeSubscribed: boolean;
  readonly includeAllActive: boolean;
  readonly includeDefault: boolean;
  readonly includeOwnerSubscribed: boolean;
}

export interface StreamOperations {
  /** @throws BAD_REQUEST, NONE, UNAUTHORIZED_PRINCIPAL; then nothing has changed */
  readonly subscribe: (caller: Caller, request: SubscribeRequest) => Promise<SubscribeAnswer>;
  readonly listSubscriptions: (
    caller: Caller,
    includeSubscribers: boolean,
  ) => Promise<readonly Subscription[]>;
  /** @throws BAD_REQUEST when a caller who is no administrator asks for all streams */
  readonly listStreams: (caller: Caller, wanted: StreamList) => Promise<readonly Stream[]>;
  /** @throws BAD_REQUEST when the stream is absent or hidden from the caller */
  readonly listTopics: (
    caller: Caller,
    streamId: number,
  ) => Promise<readonly { readonly name: string; readonly max_id: number }[]>;
}

type StreamStore = Pick<
  Store,
  | 'countMessagesSince'
  | 'findRealm'
  | 'findStream'
  | 'findStreamByName'
  | 'findUser'
  | 'findUserByEmail'
  | 'isMember'
  | 'listAllStreamMembers'
  | 'listStreams'
  | 'listSubscriptions'
  | 'listTopics'
  | 'listUsers'
  | 'subscribeUsers'
>;

type Subscriber = Pick<AccountRow, 'id' | 'email'>;

interface Refused {
  readonly name: string;
  readonly isPrivate: boolean;
}

interface Plan {
  readonly targets: readonly StreamTarget[];
  readonly colors: readonly (string | undefined)[];
  readonly refused: readonly Refused[];
}

/** A refusal of a private stream has no code (specification, section 7); a guest's of a public one has. */
function refusal(refused: readonly Refused[]): ServiceError {
  const names = refused.map(({ name }) => name).join(', ');
  return refused.some(({ isPrivate }) => isPrivate)
    ? new ServiceError('NONE', `Unable to access stream (${names}).`)
    : badRequest(`You are not allowed to subscribe to stream (${names}).`);
}

async function findPrincipals(
  store: StreamStore,
  principals: readonly (string | number)[],
): Promise<readonly AccountRow[]> {
  const users = new Map<number, AccountRow>();
  for (const principal of principals) {
    const user =
      typeof principal === 'number'
        ? await store.findUser(principal)
        : await store.findUserByEmail(fold(principal));
    if (user?.is_active !== 1) {
      throw new ServiceError(
        'UNAUTHORIZED_PRINCIPAL',
        `User not authorized to execute queries on behalf of '${String(principal)}'`,
        { principal },
      );
    }
    users.set(user.id, user);
  }
  return [...users.values()];
}

function newTarget(
  caller: Caller,
  request: SubscribeRequest,
  wanted: { readonly name: string; readonly description: string; readonly nowSeconds: number },
): StreamTarget {
  if (!canCreateStreams(caller)) throw badRequest('You are not allowed to create streams');
  if (request.isAnnouncementOnly && caller.role !== 'admin') {
    throw badRequest('Only organization administrators can create announcement-only streams');
  }
  const isPrivate = request.inviteOnly;
  return {
    kind: 'new',
    stream: {
      name: wanted.name,
      nameKey: fold(wanted.name),
      description: wanted.description,
      renderedDescription: renderDescription(wanted.description),
      isPrivate,
      isAnnouncementOnly: request.isAnnouncementOnly,
      isHistoryPublic: !isPrivate || request.historyPublicToSubscribers === true,
      isDefault: false,
      creatorId: caller.userId,
      createdAt: wanted.nowSeconds,
    },
  };
}

function planner(store: StreamStore, nowSeconds: () => number) {
  async function planExisting(
    caller: Caller,
    stream: StreamRow,
  ): Promise<StreamTarget | undefined> {
    const isSubscribed = await store.isMember(stream.recipient_id, caller.userId);
    return canSubscribe(caller, factsOf(stream), isSubscribed)
      ? { kind: 'existing', streamId: stream.id }
      : undefined;
  }

  return async (caller: Caller, request: SubscribeRequest): Promise<Plan> => {
    const targets = new Map<string, StreamTarget>();
    const colors: (string | undefined)[] = [];
    const refused: Refused[] = [];
    for (const wanted of request.subscriptions) {
      const name = checkStreamName(wanted.name);
      const description = checkDescription(wanted.description ?? '');
      const color = wanted.color === undefined ? undefined : normalizeColor(wanted.color);
      if (wanted.color !== undefined && color === undefined) {
        throw badRequest(`Invalid color '${wanted.color.slice(0, 60)}': expected #rrggbb`);
      }
      if (targets.has(fold(name))) continue;
      const stream = await store.findStreamByName(fold(name));
      const target =
        stream === undefined
          ? newTarget(caller, request, { name, description, nowSeconds: nowSeconds() })
          : await planExisting(caller, stream);
      if (target === undefined) {
        refused.push({ name, isPrivate: stream?.is_private === 1 });
        continue;
      }
      targets.set(fold(name), target);
      colors.push(color);
    }
    return { targets: [...targets.values()], colors, refused };
  };
}

function answerOf(
  results: readonly SubscribeResult[],
  users: readonly Subscriber[],
  unauthorized: readonly string[] | undefined,
): SubscribeAnswer {
  const subscribed: Record<string, string[]> = {};
  const already: Record<string, string[]> = {};
  for (const user of users) {
    for (const result of results) {
      const list = result.joinedIds.includes(user.id) ? subscribed : already;
      (list[user.email] ??= []).push(result.name);
    }
  }
  return {
    subscribed,
    already_subscribed: already,
    ...(unauthorized === undefined ? {} : { unauthorized: [...unauthorized] }),
  };
}

function subscribing(
  store: StreamStore,
  context: DomainContext,
  sendMessage: MessageOperations['sendMessage'],
): StreamOperations['subscribe'] {
  const plan = planner(store, context.nowSeconds);

  async function commit(
    caller: Caller,
    request: SubscribeRequest,
    users: readonly Subscriber[],
  ): Promise<{ results: readonly SubscribeResult[]; refused: readonly Refused[] }> {
    for (let attempt = 1; ; attempt += 1) {
      const { targets, colors, refused } = await plan(caller, request);
      if (refused.length > 0 && request.authorizationErrorsFatal) throw refusal(refused);
      const userIds = users.map((user) => user.id);
      const events = subscribeEvents(await store.listUsers(), context.nowSeconds());
      try {
        const results = await store.subscribeUsers(
          { targets, colors, userIds, palette: streamColors },
          events,
        );
        return { results, refused };
      } catch (reason) {
        // Two callers created the same stream at once: the second one joins it.
        if (!(reason instanceof StreamAppeared) || attempt === MAX_ATTEMPTS) throw reason;
      }
    }
  }

  async function announce(caller: Caller, results: readonly SubscribeResult[]): Promise<void> {
    const created = results.filter((result) => result.isCreated).map((result) => result.name);
    const realm = await store.findRealm();
    const id = realm?.notifications_stream_id ?? null;
    if (created.length === 0 || id === null) return;
    const links = created.map((name) => `#**${name}**`).join(', ');
    const content = `@_**${caller.fullName}|${String(caller.userId)}** created ${links}.`;
    const stream = { kind: 'id', id, digits: String(id) } as const;
    try {
      await sendMessage(caller, {
        client: 'Internal',
        content,
        echo: null,
        target: { kind: 'stream', stream, topic: 'new streams' },
      });
    } catch (reason) {
      // The streams exist by now: a creator who may not post there has created them all the same.
      if (!(reason instanceof ServiceError)) throw reason;
    }
  }

  return async (caller, request) => {
    const others = await findPrincipals(store, request.principals);
    const users = others.length > 0 ? others : [{ id: caller.userId, email: caller.email }];
    if (users.some((user) => user.id !== caller.userId) && !canSubscribeOthers(caller)) {
      throw badRequest('You are not allowed to subscribe other users');
    }
    const { results, refused } = await commit(caller, request, users);
    if (request.announce && !request.inviteOnly) await announce(caller, results);
    const unauthorized = refused.map(({ name }) => name);
    return answerOf(results, users, request.authorizationErrorsFatal ? undefined : unauthorized);
  };
}

function listing(store: StreamStore, context: DomainContext): Omit<StreamOperations, 'subscribe'> {
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
      const emails = new Map((await store.listUsers()).map((user) => [user.id, user.email]));
      return shapes.map((shape, index) => ({
        ...shape,
        subscribers: (members.get(rows[index]?.recipient_id ?? 0) ?? []).map(
          (id) => emails.get(id) ?? '',
        ),
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
    async listTopics(caller, streamId) {
      const stream = await store.findStream(streamId);
      const isSubscribed =
        stream !== undefined && (await store.isMember(stream.recipient_id, caller.userId));
      if (
        stream === undefined ||
        stream.is_archived === 1 ||
        !canSeeStream(caller, factsOf(stream), isSubscribed)
      ) {
        throw badRequest('Invalid stream id');
      }
      const isOpen = canReadHistory(caller, factsOf(stream), isSubscribed);
      return store.listTopics(stream.recipient_id, caller.userId, isOpen);
    },
  };
}

export function streamOperations(
  store: StreamStore,
  context: DomainContext,
  messages: Pick<MessageOperations, 'sendMessage'>,
): StreamOperations {
  return {
    subscribe: subscribing(store, context, messages.sendMessage),
    ...listing(store, context),
  };
}
