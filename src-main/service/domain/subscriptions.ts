/** Subscribing and unsubscribing, and the caller's own settings of its streams. */
import type { StreamRequest } from '../../contract/api/streams.ts';
import { badRequest, ServiceError, streamDoesNotExist } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { AccountRow, Store, SubscribeResult, UnsubscribeResult } from '../store/port.ts';
import type { MessageOperations } from './messages.ts';
import type { DomainContext } from './ports.ts';
import { streamColors } from './rules/palette.ts';
import { canSubscribeOthers, canUnsubscribeOthers } from './rules/permissions.ts';
import { realmSettings } from './rules/realm-settings.ts';
import { findVisibleStream } from './stream-access.ts';
import { subscribeEvents } from './stream-events.ts';
import {
  findPrincipals,
  type Plan,
  planSubscriptions,
  refusal,
  type StreamOptions,
  untilUnchanged,
} from './subscribing.ts';

export interface SubscribeRequest extends StreamOptions {
  readonly subscriptions: readonly StreamRequest[];
  readonly principals: readonly (string | number)[];
  readonly authorizationErrorsFatal: boolean;
  readonly announce: boolean;
}

type NamesByEmail = Record<string, string[]>;

export interface Additions {
  readonly subscribed: NamesByEmail;
  readonly already_subscribed: NamesByEmail;
}

export interface SubscribeAnswer extends Additions {
  readonly unauthorized?: string[];
}

export interface Removals {
  readonly removed: string[];
  readonly not_removed: string[];
}

export interface SubscriptionOperations {
  /** @throws BAD_REQUEST, NONE, UNAUTHORIZED_PRINCIPAL; then nothing has changed */
  readonly subscribe: (caller: Caller, request: SubscribeRequest) => Promise<SubscribeAnswer>;
  /**
   * @param names       of streams
   * @param principals  whom to unsubscribe, by address or id; nobody means the caller
   * @throws STREAM_DOES_NOT_EXIST, BAD_REQUEST, UNAUTHORIZED_PRINCIPAL; then nothing has changed
   */
  readonly unsubscribe: (
    caller: Caller,
    names: readonly string[],
    principals: readonly (string | number)[],
  ) => Promise<Removals>;
  /**
   * Ends and begins subscriptions of the caller at once.
   * @throws STREAM_DOES_NOT_EXIST, BAD_REQUEST, NONE; then nothing has changed
   */
  readonly changeSubscriptions: (
    caller: Caller,
    added: readonly StreamRequest[],
    removed: readonly string[],
  ) => Promise<Additions & Removals>;
}

export type SubscriptionStore = Pick<
  Store,
  | 'changeSubscriptions'
  | 'findRealm'
  | 'findStream'
  | 'findStreamByName'
  | 'findUser'
  | 'findUserByEmail'
  | 'isMember'
  | 'listUsers'
  | 'subscribeUsers'
  | 'unsubscribeUsers'
>;

type Subscriber = Pick<AccountRow, 'id' | 'email'>;

const plainStream: StreamOptions = {
  inviteOnly: false,
  historyPublicToSubscribers: undefined,
  isAnnouncementOnly: false,
};

function additionsOf(results: readonly SubscribeResult[], users: readonly Subscriber[]): Additions {
  const subscribed: NamesByEmail = {};
  const already: NamesByEmail = {};
  for (const user of users) {
    for (const result of results) {
      const list = result.joinedIds.includes(user.id) ? subscribed : already;
      (list[user.email] ??= []).push(result.name);
    }
  }
  return { subscribed, already_subscribed: already };
}

/** Of several accounts, a stream is named in both lists when some were subscribed to it and some were not. */
const removalsOf = (results: readonly UnsubscribeResult[]): Removals => ({
  removed: results.flatMap(({ name, leftIds }) => (leftIds.length > 0 ? [name] : [])),
  not_removed: results.flatMap(({ name, missingIds }) => (missingIds.length > 0 ? [name] : [])),
});

/** @throws STREAM_DOES_NOT_EXIST when one is missing, archived, or hidden from the caller */
async function findNamed(
  store: SubscriptionStore,
  caller: Caller,
  names: readonly string[],
): Promise<readonly number[]> {
  const ids = new Set<number>();
  for (const name of names) {
    const found = await findVisibleStream(store, caller, name);
    if (found === undefined) throw streamDoesNotExist(name);
    ids.add(found.stream.id);
  }
  return [...ids];
}

function announcing(
  store: SubscriptionStore,
  sendMessage: MessageOperations['sendMessage'],
): (caller: Caller, results: readonly SubscribeResult[]) => Promise<void> {
  return async (caller, results) => {
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
  };
}

function subscribing(
  store: SubscriptionStore,
  context: DomainContext,
  sendMessage: MessageOperations['sendMessage'],
): SubscriptionOperations['subscribe'] {
  const announce = announcing(store, sendMessage);

  async function commit(
    caller: Caller,
    request: SubscribeRequest,
    users: readonly Subscriber[],
  ): Promise<{ results: readonly SubscribeResult[]; refused: Plan['refused'] }> {
    const nowSeconds = context.nowSeconds();
    const wanted = { subscriptions: request.subscriptions, options: request };
    const { refused, ...plan } = await planSubscriptions(store, caller, wanted, nowSeconds);
    if (refused.length > 0 && request.authorizationErrorsFatal) throw refusal(refused);
    const userIds = users.map((user) => user.id);
    const events = subscribeEvents(await store.listUsers(), nowSeconds);
    const results = await store.subscribeUsers({ ...plan, userIds, palette: streamColors }, events);
    return { results, refused };
  }

  return async (caller, request) => {
    const others = await findPrincipals(store, request.principals);
    const users = others.length > 0 ? others : [{ id: caller.userId, email: caller.email }];
    const settings = realmSettings(await store.findRealm());
    if (users.some(({ id }) => id !== caller.userId) && !canSubscribeOthers(caller, settings)) {
      throw badRequest('You are not allowed to subscribe other users');
    }
    const { results, refused } = await untilUnchanged(() => commit(caller, request, users));
    if (request.announce && !request.inviteOnly) await announce(caller, results);
    const additions = additionsOf(results, users);
    return request.authorizationErrorsFatal
      ? additions
      : { ...additions, unauthorized: refused.map(({ name }) => name) };
  };
}

function unsubscribing(
  store: SubscriptionStore,
  context: DomainContext,
): Omit<SubscriptionOperations, 'subscribe'> {
  return {
    async unsubscribe(caller, names, principals) {
      const others = await findPrincipals(store, principals);
      const userIds = others.length > 0 ? others.map(({ id }) => id) : [caller.userId];
      if (userIds.some((id) => id !== caller.userId) && !canUnsubscribeOthers(caller)) {
        throw badRequest('Only organization administrators can unsubscribe other users');
      }
      return untilUnchanged(async () => {
        const streamIds = await findNamed(store, caller, names);
        const events = subscribeEvents(await store.listUsers(), context.nowSeconds());
        return removalsOf(await store.unsubscribeUsers({ streamIds, userIds }, events));
      });
    },
    async changeSubscriptions(caller, added, removed) {
      if (added.length === 0 && removed.length === 0) {
        throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
      }
      const userIds = [caller.userId];
      return untilUnchanged(async () => {
        const nowSeconds = context.nowSeconds();
        const streamIds = await findNamed(store, caller, removed);
        const wanted = { subscriptions: added, options: plainStream };
        const { refused, ...plan } = await planSubscriptions(store, caller, wanted, nowSeconds);
        if (refused.length > 0) throw refusal(refused);
        const results = await store.changeSubscriptions(
          { streamIds, userIds },
          { ...plan, userIds, palette: streamColors },
          subscribeEvents(await store.listUsers(), nowSeconds),
        );
        const subscriber = { id: caller.userId, email: caller.email };
        return { ...additionsOf(results.added, [subscriber]), ...removalsOf(results.removed) };
      });
    },
  };
}

export const subscriptionOperations = (
  store: SubscriptionStore,
  context: DomainContext,
  messages: Pick<MessageOperations, 'sendMessage'>,
): SubscriptionOperations => ({
  subscribe: subscribing(store, context, messages.sendMessage),
  ...unsubscribing(store, context),
});
