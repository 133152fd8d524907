/** What a request to subscribe comes to. */
import type { StreamRequest } from '#shared/api/endpoints/streams/streams.ts';
import type { ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import { renderDescription } from '#service/markdown/render.ts';
import type { AccountRow, NewStream, Operation, Reading, StreamRow } from '#service/db/port.ts';
import { fold } from '#shared/text/fold.ts';
import {
  checkDescription,
  checkKnownStreamName,
  checkStreamName,
  normalizeColor,
} from '#service/core/rules/names.ts';
import { canCreateStreams, canSubscribe } from '#shared/policies/streams.ts';
import { factsOf } from '#service/core/rules/permissions.ts';
import { type RealmSettings, realmSettings } from '#service/core/rules/organization-settings.ts';
import type { JoinTarget } from './memberships.ts';

/** What new streams of a request are like. */
export interface StreamOptions {
  readonly inviteOnly: boolean;
  readonly historyPublicToSubscribers: boolean | undefined;
  readonly isAnnouncementOnly: boolean;
}

interface RefusedStream {
  readonly name: string;
  readonly isPrivate: boolean;
}

export interface SubscriptionPlan {
  readonly targets: readonly JoinTarget[];
  readonly refused: readonly RefusedStream[];
}

/** A refusal of a private stream has no code (specification 7); a guest's of a public one has. */
export function refusalOfStreams(refused: readonly RefusedStream[]): ServiceError {
  const names = refused.map(({ name }) => name).join(', ');
  return refused.some(({ isPrivate }) => isPrivate)
    ? refusal('private_stream_refused', { names })
    : refusal('subscribing_not_allowed', { names });
}

/** @throws UNAUTHORIZED_PRINCIPAL for what is no active account */
export function* findPrincipals(
  tx: Reading,
  principals: readonly (string | number)[],
): Operation<readonly AccountRow[]> {
  const users = new Map<number, AccountRow>();
  for (const principal of principals) {
    // A list that arrives as text with commas has its ids as digits; no address is all digits.
    const isId = typeof principal === 'number' || /^\d{1,15}$/.test(principal);
    const user = isId
      ? yield* tx.findUser(Number(principal))
      : yield* tx.findUserByEmail(fold(principal));
    if (user?.is_active !== 1) {
      throw refusal('principal_unauthorized', { principal: String(principal) }, { principal });
    }
    users.set(user.id, user);
  }
  return [...users.values()];
}

interface WantedStream {
  readonly name: string;
  readonly description: string;
  readonly color: string | undefined;
}

function checkWanted(request: StreamRequest): WantedStream {
  const color = request.color === undefined ? undefined : normalizeColor(request.color);
  if (request.color !== undefined && color === undefined) {
    throw refusal('color_invalid', { color: request.color.slice(0, 60) });
  }
  return {
    name: checkKnownStreamName(request.name),
    description: checkDescription(request.description ?? ''),
    color,
  };
}

function newStream(
  caller: Caller,
  options: StreamOptions,
  wanted: WantedStream,
  realm: { readonly settings: RealmSettings; readonly nowSeconds: number },
): NewStream {
  if (!canCreateStreams(caller, realm.settings)) {
    throw refusal('stream_creation_not_allowed');
  }
  if (options.isAnnouncementOnly && caller.role !== 'admin') {
    throw refusal('administrator_creates_announcement_streams');
  }
  const { description } = wanted;
  const name = checkStreamName(wanted.name);
  const isPrivate = options.inviteOnly;
  return {
    name,
    nameKey: fold(name),
    description,
    renderedDescription: renderDescription(description),
    isPrivate,
    isAnnouncementOnly: options.isAnnouncementOnly,
    isHistoryPublic: !isPrivate || options.historyPublicToSubscribers === true,
    isDefault: false,
    creatorId: caller.userId,
    createdAt: realm.nowSeconds,
  };
}

/** In one request. */
const MAX_NEW_STREAMS = 100;

/**
 * What is to be joined and what created; streams that the caller may not join are listed, not thrown.
 * @throws BAD_REQUEST for a bad name, description or colour, and for what the caller may not create
 */
export function* planSubscriptions(
  tx: Reading,
  caller: Caller,
  request: { readonly subscriptions: readonly StreamRequest[]; readonly options: StreamOptions },
  nowSeconds: number,
): Operation<SubscriptionPlan> {
  const settings = realmSettings(yield* tx.findRealm());
  const seen = new Set<string>();
  const targets: JoinTarget[] = [];
  const refused: RefusedStream[] = [];
  let newStreams = 0;

  function* targetOf(
    wanted: WantedStream,
    stream: StreamRow | undefined,
  ): Operation<JoinTarget | undefined> {
    const { color } = wanted;
    if (stream === undefined) {
      const created = newStream(caller, request.options, wanted, { settings, nowSeconds });
      return { kind: 'new', stream: created, color };
    }
    const isSubscribed = yield* tx.isMember(stream.recipient_id, caller.userId);
    return canSubscribe(caller, factsOf(stream), isSubscribed)
      ? { kind: 'existing', stream, color }
      : undefined;
  }

  for (const each of request.subscriptions) {
    const wanted = checkWanted(each);
    const key = fold(wanted.name);
    if (seen.has(key)) continue;
    seen.add(key);
    const stream = yield* tx.findStreamByName(key);
    const target = yield* targetOf(wanted, stream);
    if (target === undefined) {
      refused.push({ name: wanted.name, isPrivate: stream?.is_private === 1 });
      continue;
    }
    targets.push(target);
    newStreams += target.kind === 'new' ? 1 : 0;
    if (newStreams > MAX_NEW_STREAMS) {
      throw refusal('too_many_new_streams', { limit: MAX_NEW_STREAMS });
    }
  }
  return { targets, refused };
}
