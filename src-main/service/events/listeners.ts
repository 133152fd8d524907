/** What is needed of an account to decide which events reach it, kept so that a commit asks no database. */
import type { RealmUser } from '#shared/api/models/user.ts';
import type { Role } from '#shared/policies/actor.ts';
import type { Audience, LoggedEvent } from '../db/event-log.ts';
import type { MembershipRange, Store } from '../db/port.ts';

const MAX_ACCOUNTS = 10_000;

/** One account as a listener to the log. */
export interface Viewer {
  readonly userId: number;
  readonly role: Role;
  readonly isBot: boolean;
  /** Whether it belonged to the recipient when the message was sent. */
  readonly isHolder: (recipientId: number, messageId: number) => boolean;
  /** Whether it belonged to the recipient all the time in which messages from the first to the last one were sent. */
  readonly isHolderOfAll: (recipientId: number, firstId: number, lastId: number) => boolean;
}

export interface Viewers {
  readonly load: (userId: number) => Promise<Viewer>;
  /** Undefined where it has to be loaded first. */
  readonly loaded: (userId: number) => Viewer | undefined;
  /** Forgets what the event may have changed. */
  readonly forget: (event: LoggedEvent) => void;
}

function groupByRecipient(
  ranges: readonly MembershipRange[],
): ReadonlyMap<number, readonly MembershipRange[]> {
  const groups = new Map<number, MembershipRange[]>();
  for (const range of ranges) {
    const known = groups.get(range.recipientId);
    if (known === undefined) groups.set(range.recipientId, [range]);
    else known.push(range);
  }
  return groups;
}

/** Whose role or memberships the event may change: a thousand others need not be looked up again because somebody has a new name. */
function changedIds({ type, audience, payload }: LoggedEvent): readonly number[] {
  if (type === 'realm_user') return [(payload['person'] as Pick<RealmUser, 'user_id'>).user_id];
  return type === 'subscription' && audience.kind === 'users' ? audience.userIds : [];
}

const isWithin = (range: MembershipRange, messageId: number): boolean =>
  range.from < messageId && (range.until === null || messageId <= range.until);

export function createViewers(store: Pick<Store, 'listMembershipRanges' | 'findUser'>): Viewers {
  const known = new Map<number, Promise<Viewer>>();
  const ready = new Map<number, Viewer>();

  function clear(): void {
    known.clear();
    ready.clear();
  }

  /** What was forgotten while it was read may be out of date, and is read anew the next time. */
  async function keep(userId: number, loading: Promise<Viewer>): Promise<void> {
    const isCurrent = (): boolean => known.get(userId) === loading;
    try {
      const viewer = await loading;
      if (isCurrent()) ready.set(userId, viewer);
    } catch {
      // Whoever asked is told; it is not kept.
      if (isCurrent()) known.delete(userId);
    }
  }

  async function read(userId: number): Promise<Viewer> {
    const [user, ranges] = await Promise.all([
      store.findUser(userId),
      store.listMembershipRanges(userId),
    ]);
    const groups = groupByRecipient(ranges);
    return {
      userId,
      role: user?.role ?? 'guest',
      isBot: user?.bot_type !== null,
      isHolder: (recipientId, messageId) =>
        groups.get(recipientId)?.some((range) => isWithin(range, messageId)) ?? false,
      isHolderOfAll: (recipientId, firstId, lastId) =>
        groups
          .get(recipientId)
          ?.some((range) => isWithin(range, firstId) && isWithin(range, lastId)) ?? false,
    };
  }

  return {
    loaded: (userId) => ready.get(userId),
    load(userId) {
      const loaded = known.get(userId);
      if (loaded !== undefined) return loaded;
      if (known.size >= MAX_ACCOUNTS) clear();
      const loading = read(userId);
      known.set(userId, loading);
      void keep(userId, loading);
      return loading;
    },
    forget(event) {
      for (const userId of changedIds(event)) {
        known.delete(userId);
        ready.delete(userId);
      }
    },
  };
}

/** Whether an event may be told to a listener; `public` when only because its stream is public. */
export function visibilityTo(viewer: Viewer, audience: Audience): 'none' | 'full' | 'public' {
  switch (audience.kind) {
    case 'realm':
      return 'full';
    case 'members': {
      const { exceptUserId, alsoUserIds = [] } = audience;
      if (exceptUserId === viewer.userId) return 'none';
      return viewer.role !== 'guest' || alsoUserIds.includes(viewer.userId) ? 'full' : 'none';
    }
    case 'people':
      return viewer.isBot ? 'none' : 'full';
    case 'users':
      return audience.userIds.includes(viewer.userId) ? 'full' : 'none';
    case 'holders':
      return visibilityToHolder(viewer, audience);
  }
}

function visibilityToHolder(
  viewer: Viewer,
  audience: Extract<Audience, { kind: 'holders' }>,
): 'none' | 'full' | 'public' {
  const { recipientId, messageId, publicStreamId } = audience;
  const { alsoUserIds = [], exceptUserIds = [] } = audience;
  if (exceptUserIds.includes(viewer.userId)) return 'none';
  if (viewer.isHolder(recipientId, messageId) || alsoUserIds.includes(viewer.userId)) {
    return 'full';
  }
  return publicStreamId !== null && viewer.role !== 'guest' ? 'public' : 'none';
}
