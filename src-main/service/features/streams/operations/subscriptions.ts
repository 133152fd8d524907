/** Subscribing and unsubscribing, and the caller's own settings of its streams. */
import type { StreamRequest } from '#shared/api/endpoints/streams/streams.ts';
import { ServiceError, streamDoesNotExist } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { mentionById, streamReference } from '#shared/text/mention-syntax.ts';
import type { Caller, CallerActionSource } from '#service/core/ports/handlers.ts';
import type { AccountRow, Operation, Reading, Store, StreamRow } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { MessageOperations } from '#service/features/messages/operations/messages.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkQuota } from '#service/core/quotas.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { canSubscribeOthers, canUnsubscribeOthers } from '#shared/policies/streams.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { findVisibleStream } from '#service/core/stream-access.ts';
import { subscribeEvents } from './stream-events.ts';
import {
  findPrincipals,
  planSubscriptions,
  refusalOfStreams,
  type StreamOptions,
} from './subscribing.ts';
import { type JoinResult, joinStreams, type LeaveResult, leaveStreams } from './memberships.ts';

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
  readonly subscribe: (
    source: CallerActionSource,
    request: SubscribeRequest,
  ) => Promise<SubscribeAnswer>;
  /**
   * @param names       of streams
   * @param principals  whom to unsubscribe, by address or id; nobody means the caller
   * @throws STREAM_DOES_NOT_EXIST, BAD_REQUEST, UNAUTHORIZED_PRINCIPAL; then nothing has changed
   */
  readonly unsubscribe: (
    source: CallerActionSource,
    names: readonly string[],
    principals: readonly (string | number)[],
  ) => Promise<Removals>;
  /**
   * Ends and begins subscriptions of the caller at once.
   * @throws STREAM_DOES_NOT_EXIST, BAD_REQUEST, NONE; then nothing has changed
   */
  readonly changeSubscriptions: (
    source: CallerActionSource,
    added: readonly StreamRequest[],
    removed: readonly string[],
  ) => Promise<Additions & Removals>;
}

type Subscriber = Pick<AccountRow, 'id' | 'email'>;

const plainStream: StreamOptions = {
  inviteOnly: false,
  historyPublicToSubscribers: undefined,
  isAnnouncementOnly: false,
};

function additionsOf(results: readonly JoinResult[], users: readonly Subscriber[]): Additions {
  const subscribed: NamesByEmail = {};
  const already: NamesByEmail = {};
  const joined = results.map(({ stream, joinedIds }) => ({ stream, ids: new Set(joinedIds) }));
  for (const user of users) {
    for (const { stream, ids } of joined) {
      const list = ids.has(user.id) ? subscribed : already;
      (list[user.email] ??= []).push(stream.name);
    }
  }
  return { subscribed, already_subscribed: already };
}

/** A stream is named in both lists when some of several accounts were subscribed to it and some were not. */
const removalsOf = (results: readonly LeaveResult[]): Removals => ({
  removed: results.flatMap(({ stream, leftIds }) => (leftIds.length > 0 ? [stream.name] : [])),
  not_removed: results.flatMap(({ stream, missingIds }) =>
    missingIds.length > 0 ? [stream.name] : [],
  ),
});

/** @throws STREAM_DOES_NOT_EXIST when one is missing, archived, or hidden from the caller */
function* findNamed(
  tx: Reading,
  caller: Caller,
  names: readonly string[],
): Operation<readonly StreamRow[]> {
  const streams = new Map<number, StreamRow>();
  for (const name of names) {
    const found = yield* findVisibleStream(tx, caller, name);
    if (found === undefined) throw streamDoesNotExist(name);
    streams.set(found.stream.id, found.stream);
  }
  return [...streams.values()];
}

function announcing(
  store: Store,
  sendMessage: MessageOperations['sendMessage'],
): (caller: Caller, results: readonly JoinResult[]) => Promise<void> {
  return async (caller, results) => {
    const created = results.filter(({ isCreated }) => isCreated).map(({ stream }) => stream);
    const realm = await store.findRealm();
    const id = realm?.notifications_stream_id ?? null;
    if (created.length === 0 || id === null) return;
    const links = created
      .map(({ id: streamId, name }) => streamReference({ streamId, name }))
      .join(', ');
    const content = `${mentionById(caller, true)} created ${links}.`;
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

/** @throws BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
function* findSubscribers(
  tx: Reading,
  caller: Caller,
  principals: readonly (string | number)[],
): Operation<readonly Subscriber[]> {
  const others = yield* findPrincipals(tx, principals);
  const users = others.length > 0 ? others : [{ id: caller.userId, email: caller.email }];
  const settings = realmSettings(yield* tx.findRealm());
  if (users.some(({ id }) => id !== caller.userId) && !canSubscribeOthers(caller, settings)) {
    throw refusal('subscribing_others_not_allowed');
  }
  return users;
}

function subscribing(
  store: Store,
  context: DomainContext,
  sendMessage: MessageOperations['sendMessage'],
): SubscriptionOperations['subscribe'] {
  const announce = announcing(store, sendMessage);

  return async (source, request) => {
    const { authorizationErrorsFatal: isFatal } = request;
    const { results, refused, users } = await change(store, source.caller, function* (tx, caller) {
      const users = yield* findSubscribers(tx, caller, request.principals);
      const nowSeconds = context.nowSeconds();
      const wanted = { subscriptions: request.subscriptions, options: request };
      const { refused, targets } = yield* planSubscriptions(tx, caller, wanted, nowSeconds);
      if (refused.length > 0 && isFatal) throw refusalOfStreams(refused);
      yield* checkQuota(tx, context.limits, {
        kind: 'streams',
        caller,
        count: targets.filter(({ kind }) => kind === 'new').length,
      });
      const doing = { note: auditEntryMaker(context, source), callerId: caller.userId };
      const events = subscribeEvents(yield* tx.listUsers(), nowSeconds, doing);
      const userIds = users.map((user) => user.id);
      return { results: yield* joinStreams(tx, targets, userIds, events), refused, users };
    });
    if (request.announce && !request.inviteOnly) await announce(source.caller, results);
    const additions = additionsOf(results, users);
    return isFatal ? additions : { ...additions, unauthorized: refused.map(({ name }) => name) };
  };
}

function unsubscribing(
  store: Store,
  context: DomainContext,
): Omit<SubscriptionOperations, 'subscribe'> {
  return {
    unsubscribe: (source, names, principals) =>
      change(store, source.caller, function* (tx, caller) {
        const others = yield* findPrincipals(tx, principals);
        const userIds = others.length > 0 ? others.map(({ id }) => id) : [caller.userId];
        if (userIds.some((id) => id !== caller.userId) && !canUnsubscribeOthers(caller)) {
          throw refusal('administrator_unsubscribes_others');
        }
        const streams = yield* findNamed(tx, caller, names);
        const doing = { note: auditEntryMaker(context, source), callerId: caller.userId };
        const events = subscribeEvents(yield* tx.listUsers(), context.nowSeconds(), doing);
        return removalsOf(yield* leaveStreams(tx, streams, userIds, events));
      }),
    changeSubscriptions: (source, added, removed) =>
      change(store, source.caller, function* (tx, caller) {
        if (added.length === 0 && removed.length === 0) {
          throw refusal('members_unchanged');
        }
        const nowSeconds = context.nowSeconds();
        const streams = yield* findNamed(tx, caller, removed);
        const wanted = { subscriptions: added, options: plainStream };
        const { refused, targets } = yield* planSubscriptions(tx, caller, wanted, nowSeconds);
        if (refused.length > 0) throw refusalOfStreams(refused);
        yield* checkQuota(tx, context.limits, {
          kind: 'streams',
          caller,
          count: targets.filter(({ kind }) => kind === 'new').length,
        });
        const doing = { note: auditEntryMaker(context, source), callerId: caller.userId };
        const events = subscribeEvents(yield* tx.listUsers(), nowSeconds, doing);
        const left = yield* leaveStreams(tx, streams, [caller.userId], events);
        const joined = yield* joinStreams(tx, targets, [caller.userId], events);
        const subscriber = { id: caller.userId, email: caller.email };
        return { ...additionsOf(joined, [subscriber]), ...removalsOf(left) };
      }),
  };
}

export const subscriptionOperations = (
  store: Store,
  context: DomainContext,
  messages: Pick<MessageOperations, 'sendMessage'>,
): SubscriptionOperations => ({
  subscribe: subscribing(store, context, messages.sendMessage),
  ...unsubscribing(store, context),
});
