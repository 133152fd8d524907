/** How changes of accounts are put into events (API decisions, section 8.2). */
import type { Audience } from '../../contract/log.ts';
import type { ProfileData } from '../../contract/models/profile.ts';
import type { AccountFacts, AccountRow, NewEvent } from '../store/port.ts';
import { type BotSurroundings, botShape } from './rules/bots.ts';
import { userShape } from './rules/shapes.ts';

type Payload = NewEvent['payload'];

const everybody: Audience = { kind: 'realm' };
const whoIs = (user: AccountRow) => ({ user_id: user.id, email: user.email });

/** @param change  one of the keys that section 8.2 lists */
export const userUpdated = (user: AccountRow, change: Payload): NewEvent => ({
  type: 'realm_user',
  audience: everybody,
  payload: { op: 'update', person: { ...whoIs(user), ...change } },
});

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

const botEvent = (op: string, audience: Audience, bot: Payload): NewEvent => ({
  type: 'realm_bot',
  audience,
  payload: { op, bot },
});

/**
 * Stands where the key goes, which is derived from it when the event is sent: no key is ever stored. Whoever may no
 * longer see the bot by then gets a key of a time when they might.
 */
const keyOf = (generation: number): number => generation;

export const botAdded = (
  bot: AccountRow,
  surroundings: BotSurroundings,
  audience: Audience,
): NewEvent =>
  botEvent('add', audience, { ...botShape(bot, surroundings), api_key: keyOf(bot.key_generation) });

export const botUpdated = (bot: AccountRow, change: Payload, audience: Audience): NewEvent =>
  botEvent('update', audience, { ...whoIs(bot), ...change });

export const botRemoved = (bot: AccountRow, audience: Audience): NewEvent =>
  botEvent('remove', audience, { ...whoIs(bot), full_name: bot.full_name });

/** To somebody who may no longer see a bot that goes on. */
export const botLost = (bot: AccountRow, userId: number): NewEvent =>
  botEvent('delete', { kind: 'users', userIds: [userId] }, whoIs(bot));

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
  botUpdated(
    user,
    { api_key: keyOf(user.key_generation + 1) },
    botAudience(user.owner_id, adminIds),
  );
