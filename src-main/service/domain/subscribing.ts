/** What a request to subscribe comes to: decided here, written by the store. */
import type { StreamRequest } from '../../contract/api/streams.ts';
import { badRequest, ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import { renderDescription } from '../markdown/render.ts';
import {
  type AccountRow,
  type Store,
  type StreamRow,
  StreamsChanged,
  type StreamTarget,
} from '../store/port.ts';
import { fold } from '../../contract/fold.ts';
import { checkDescription, checkStreamName, normalizeColor } from './rules/names.ts';
import { canCreateStreams, canSubscribe, factsOf } from './rules/permissions.ts';
import { type RealmSettings, realmSettings } from './rules/realm-settings.ts';

const MAX_ATTEMPTS = 5;

/** What new streams of a request are like. */
export interface StreamOptions {
  readonly inviteOnly: boolean;
  readonly historyPublicToSubscribers: boolean | undefined;
  readonly isAnnouncementOnly: boolean;
}

interface Refused {
  readonly name: string;
  readonly isPrivate: boolean;
}

export interface Plan {
  readonly targets: readonly StreamTarget[];
  readonly colors: readonly (string | undefined)[];
  readonly refused: readonly Refused[];
}

/** A refusal of a private stream has no code (specification, section 7); a guest's of a public one has. */
export function refusal(refused: readonly Refused[]): ServiceError {
  const names = refused.map(({ name }) => name).join(', ');
  return refused.some(({ isPrivate }) => isPrivate)
    ? new ServiceError('NONE', `Unable to access stream (${names}).`)
    : badRequest(`You are not allowed to subscribe to stream (${names}).`);
}

/** @throws UNAUTHORIZED_PRINCIPAL for what is no active account */
export async function findPrincipals(
  store: Pick<Store, 'findUser' | 'findUserByEmail'>,
  principals: readonly (string | number)[],
): Promise<readonly AccountRow[]> {
  const users = new Map<number, AccountRow>();
  for (const principal of principals) {
    // A list that arrives as text with commas has its ids as digits; no address is all digits.
    const isId = typeof principal === 'number' || /^\d{1,15}$/.test(principal);
    const user = isId
      ? await store.findUser(Number(principal))
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

/** Looks and commits again while other callers create or archive the same streams in between. */
export async function untilUnchanged<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (reason) {
      if (!(reason instanceof StreamsChanged) || count === MAX_ATTEMPTS) throw reason;
    }
  }
}

interface Wanted {
  readonly name: string;
  readonly description: string;
  readonly color: string | undefined;
}

function checkWanted(request: StreamRequest): Wanted {
  const color = request.color === undefined ? undefined : normalizeColor(request.color);
  if (request.color !== undefined && color === undefined) {
    throw badRequest(`Invalid color '${request.color.slice(0, 60)}': expected #rrggbb`);
  }
  return {
    name: checkStreamName(request.name),
    description: checkDescription(request.description ?? ''),
    color,
  };
}

function newTarget(
  caller: Caller,
  options: StreamOptions,
  wanted: Wanted,
  realm: { readonly settings: RealmSettings; readonly nowSeconds: number },
): StreamTarget {
  if (!canCreateStreams(caller, realm.settings)) {
    throw badRequest('You are not allowed to create streams');
  }
  if (options.isAnnouncementOnly && caller.role !== 'admin') {
    throw badRequest('Only organization administrators can create announcement-only streams');
  }
  const { name, description } = wanted;
  const isPrivate = options.inviteOnly;
  return {
    kind: 'new',
    stream: {
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
    },
  };
}

export type PlanStore = Pick<Store, 'findRealm' | 'findStreamByName' | 'isMember'>;

/**
 * What is to be joined and what created; streams that the caller may not join are listed, not thrown.
 * @throws BAD_REQUEST for a bad name, description or colour, and for what the caller may not create
 */
export async function planSubscriptions(
  store: PlanStore,
  caller: Caller,
  request: { readonly subscriptions: readonly StreamRequest[]; readonly options: StreamOptions },
  nowSeconds: number,
): Promise<Plan> {
  const settings = realmSettings(await store.findRealm());
  const seen = new Set<string>();
  const targets: StreamTarget[] = [];
  const colors: (string | undefined)[] = [];
  const refused: Refused[] = [];

  async function targetOf(
    wanted: Wanted,
    stream: StreamRow | undefined,
  ): Promise<StreamTarget | undefined> {
    if (stream === undefined) {
      return newTarget(caller, request.options, wanted, { settings, nowSeconds });
    }
    const isSubscribed = await store.isMember(stream.recipient_id, caller.userId);
    return canSubscribe(caller, factsOf(stream), isSubscribed)
      ? { kind: 'existing', streamId: stream.id }
      : undefined;
  }

  for (const each of request.subscriptions) {
    const wanted = checkWanted(each);
    const key = fold(wanted.name);
    if (seen.has(key)) continue;
    seen.add(key);
    const stream = await store.findStreamByName(key);
    const target = await targetOf(wanted, stream);
    if (target === undefined) {
      refused.push({ name: wanted.name, isPrivate: stream?.is_private === 1 });
      continue;
    }
    targets.push(target);
    colors.push(wanted.color);
  }
  return { targets, colors, refused };
}
