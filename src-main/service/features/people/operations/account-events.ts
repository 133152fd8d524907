/** How changes of accounts are put into events (API decisions 8.2). */
import { nextGeneration } from '../rules/key-generations.ts';
import type { Audience } from '#service/db/event-log.ts';
import type { ProfileData } from '#shared/api/models/profile.ts';
import type { AccountFacts, AccountRow, NewEvent, PayloadOf } from '#service/db/port.ts';
import { type BotSurroundings, botShape } from '#service/features/bots/rules/bots.ts';
import { userShape } from '#service/core/rules/shapes.ts';

type PersonChange = PayloadOf<'realm_user', 'update'>['person'];
/** The keys of one change, without who the account is. */
type Change<T> = T extends unknown ? Omit<T, 'user_id' | 'email'> : never;

/** What may change of a bot. */
export type BotChanges = Omit<PayloadOf<'realm_bot', 'update'>['bot'], 'user_id' | 'email'>;

const everybody: Audience = { kind: 'realm' };
const whoIs = (user: AccountRow) => ({ user_id: user.id, email: user.email });

/** @param change  one of the keys that API decisions 8.2 lists */
export const userUpdated = (user: AccountRow, change: Change<PersonChange>): NewEvent => ({
  type: 'realm_user',
  audience: everybody,
  payload: { op: 'update', person: { ...whoIs(user), ...change } },
});

/** Other clients are told of a role by its flags. */
export function roleEvents(user: AccountRow, role: AccountRow['role']): readonly NewEvent[] {
  const isGuest = role === 'guest';
  const isAdmin = role === 'admin';
  return [
    ...(isGuest === (user.role === 'guest') ? [] : [userUpdated(user, { is_guest: isGuest })]),
    ...(isAdmin === (user.role === 'admin') ? [] : [userUpdated(user, { is_admin: isAdmin })]),
  ];
}

export const userAdded = (
  user: AccountRow,
  owner: AccountRow | undefined,
  profile?: ProfileData,
): NewEvent => ({
  type: 'realm_user',
  audience: everybody,
  // The gravatar is left to the client; who does not compute it gets it when the event is sent.
  payload: { op: 'add', person: userShape(user, owner, true, profile) },
});

export const userRemoved = (user: AccountRow): NewEvent => ({
  type: 'realm_user',
  audience: everybody,
  payload: { op: 'remove', person: { ...whoIs(user), full_name: user.full_name } },
});

/** A bot shows to its owner and to administrators. */
export const botAudience = (ownerId: number | null, adminIds: readonly number[]): Audience => ({
  kind: 'users',
  userIds: [...new Set(ownerId === null ? adminIds : [...adminIds, ownerId])],
});

const botEvent = (audience: Audience, payload: PayloadOf<'realm_bot'>): NewEvent => ({
  type: 'realm_bot',
  audience,
  payload,
});

/**
 * Stands where the key goes, which is derived from it when the event is sent: no key is ever stored. Whoever may no
 * longer see the bot by then gets a key of a time when they might.
 */
export const keyOf = (generation: number): number => generation;

export const botAdded = (
  bot: AccountRow,
  surroundings: BotSurroundings,
  audience: Audience,
): NewEvent =>
  botEvent(audience, {
    op: 'add',
    bot: { ...botShape(bot, surroundings), api_key: keyOf(bot.key_generation) },
  });

export const botUpdated = (bot: AccountRow, change: BotChanges, audience: Audience): NewEvent =>
  botEvent(audience, { op: 'update', bot: { ...whoIs(bot), ...change } });

export const botRemoved = (bot: AccountRow, audience: Audience): NewEvent =>
  botEvent(audience, { op: 'remove', bot: { ...whoIs(bot), full_name: bot.full_name } });

/** To somebody who may no longer see a bot that goes on. */
export const botLost = (bot: AccountRow, userId: number): NewEvent =>
  botEvent({ kind: 'users', userIds: [userId] }, { op: 'delete', bot: whoIs(bot) });

/** The events of an account, and of the bots that it owned, that were deactivated. */
export const deactivationEvents = (
  { user, adminIds }: Pick<AccountFacts, 'user' | 'adminIds'>,
  bots: readonly AccountRow[],
): readonly NewEvent[] =>
  [user, ...bots].flatMap((each) =>
    each.bot_type === null
      ? [userRemoved(each)]
      : [userRemoved(each), botRemoved(each, botAudience(each.owner_id, adminIds))],
  );

/** The events of another name; a bot's also goes to those who manage it. */
export const renamingEvents = (
  { user, adminIds }: AccountFacts,
  fullName: string,
): readonly NewEvent[] => {
  const change = { full_name: fullName };
  return user.bot_type === null
    ? [userUpdated(user, change)]
    : [userUpdated(user, change), botUpdated(user, change, botAudience(user.owner_id, adminIds))];
};

/** The event of a bot's new key. @param facts  the bot as it was before */
export const keyRenewed = ({ user, adminIds }: AccountFacts): NewEvent =>
  botUpdated(user, { api_key: keyOf(nextGeneration(user)) }, botAudience(user.owner_id, adminIds));
