/** People, groups and bots. */
import { z } from 'zod';
import type { OwnedBot, Person, UserGroup } from '#shared/bridge/models/client-state.ts';
import { byOp, type Change, type Changes, onEvent } from './event.ts';
import { findPerson } from './people.ts';
import { withPermissions } from './permissions.ts';
import { ALL_STREAMS, withMemberChange } from './member-changes.ts';
import type { SessionState } from './session-state.ts';
import { withChanged, withItems, withoutItems } from './collections/sorted.ts';
import { picture, WireBot, WirePerson, WireUserGroup } from './wire.ts';

export { ownPerson } from './permissions.ts';

function withPeople(state: SessionState, people: readonly Person[]): SessionState {
  return people === state.people ? state : withPermissions({ ...state, people });
}

const numbered = { id: z.int().catch(0) };

const PersonAdded = z.object({ ...numbered, person: WirePerson });
const PersonRemoved = z.object({ ...numbered, person: z.object({ user_id: z.int() }) });

/** One change in each event; `email` is who it is, and the old address where there is a new one. */
const PersonChanged = z.object({
  ...numbered,
  person: z.object({
    user_id: z.int(),
    full_name: z.string().optional(),
    is_admin: z.boolean().optional(),
    is_guest: z.boolean().optional(),
    timezone: z.string().optional(),
    avatar_url: picture.optional(),
    bot_owner_id: z.int().nullable().optional(),
    new_email: z.string().optional(),
    custom_profile_field: z.object({ id: z.int(), value: z.string().nullable() }).optional(),
  }),
});

/** Keys that are absent change nothing. */
const given = <T extends object>(change: {
  readonly [K in keyof T]?: T[K] | undefined;
}): Partial<T> =>
  Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Partial<T>;

function withAnswer(
  profile: Person['profile'],
  { id, value }: { readonly id: number; readonly value: string | null },
): Person['profile'] {
  const others = Object.entries(profile).filter(([known]) => known !== String(id));
  return Object.fromEntries(value === null ? others : [...others, [String(id), value]]);
}

function personChanged(
  state: SessionState,
  { id, person }: z.output<typeof PersonChanged>,
): SessionState {
  const { custom_profile_field: answer } = person;
  const known = findPerson(state.people, person.user_id)?.profile ?? {};
  const change = given<Person>({
    fullName: person.full_name,
    isAdmin: person.is_admin,
    isGuest: person.is_guest,
    timezone: person.timezone,
    botOwnerId: person.bot_owner_id,
    email: person.new_email,
    profile: answer && withAnswer(known, answer),
    ...('avatar_url' in person ? { avatarUrl: person.avatar_url } : {}),
  });
  const told = withPeople(state, withChanged(state.people, 'userId', person.user_id, change));
  // Members are listed by their addresses.
  return change.email === undefined ? told : withMemberChange(told, [ALL_STREAMS], id);
}

const BotAdded = z.object({ bot: WireBot });
const BotNamed = z.object({ bot: z.object({ user_id: z.int() }) });
const BotChanged = z.object({
  bot: z.object({
    user_id: z.int(),
    email: z.string().optional(),
    full_name: z.string().optional(),
    is_active: z.boolean().optional(),
    owner_id: z.int().nullable().optional(),
  }),
});

const withBots = (state: SessionState, bots: readonly OwnedBot[]): SessionState =>
  bots === state.bots ? state : { ...state, bots };

function botChanged(state: SessionState, { bot }: z.output<typeof BotChanged>): SessionState {
  const change = given<OwnedBot>({
    email: bot.email,
    fullName: bot.full_name,
    isActive: bot.is_active,
    ownerId: bot.owner_id,
  });
  return withBots(state, withChanged(state.bots, 'userId', bot.user_id, change));
}

const withGroups = (state: SessionState, userGroups: readonly UserGroup[]): SessionState =>
  userGroups === state.userGroups ? state : { ...state, userGroups };

const GroupAdded = z.object({ group: WireUserGroup });
const GroupNamed = z.object({ group_id: z.int() });
const GroupChanged = z.object({
  group_id: z.int(),
  data: z.object({ name: z.string().optional(), description: z.string().optional() }),
});
const GroupMembers = z.object({ group_id: z.int(), user_ids: z.array(z.int()) });

const groupMembers = (
  change: (old: readonly number[], told: readonly number[]) => number[],
): Change<z.input<typeof GroupMembers>> =>
  onEvent(GroupMembers, (state, { group_id: id, user_ids: told }) => {
    const old = state.userGroups.find((group) => group.id === id)?.userIds ?? [];
    const userIds = change(old, told).sort((a, b) => a - b);
    return withGroups(state, withChanged(state.userGroups, 'id', id, { userIds }));
  });

export const peopleChanges: Changes = {
  realm_user: byOp<'realm_user'>({
    // Somebody who is reactivated is back in streams, of which no other event tells.
    add: onEvent(PersonAdded, (state, { id, person }) =>
      withMemberChange(
        withPeople(state, withItems(state.people, [person], 'userId')),
        [ALL_STREAMS],
        id,
      ),
    ),
    remove: onEvent(PersonRemoved, (state, { id, person }) => {
      const people = withChanged(state.people, 'userId', person.user_id, { isActive: false });
      return withMemberChange(withPeople(state, people), [ALL_STREAMS], id);
    }),
    update: onEvent(PersonChanged, personChanged),
  }),
  realm_bot: byOp<'realm_bot'>({
    add: onEvent(BotAdded, (state, { bot }) =>
      withBots(state, withItems(state.bots, [bot], 'userId')),
    ),
    update: onEvent(BotChanged, botChanged),
    remove: onEvent(BotNamed, (state, { bot }) =>
      withBots(state, withChanged(state.bots, 'userId', bot.user_id, { isActive: false })),
    ),
    delete: onEvent(BotNamed, (state, { bot }) =>
      withBots(state, withoutItems(state.bots, [bot.user_id], 'userId')),
    ),
  }),
  user_group: byOp<'user_group'>({
    add: onEvent(GroupAdded, (state, { group }) =>
      withGroups(state, withItems(state.userGroups, [group], 'id')),
    ),
    update: onEvent(GroupChanged, (state, { group_id: id, data }) =>
      withGroups(state, withChanged(state.userGroups, 'id', id, given<UserGroup>(data))),
    ),
    add_members: groupMembers((old, told) => [...new Set([...old, ...told])]),
    remove_members: groupMembers((old, told) => old.filter((id) => !told.includes(id))),
    remove: onEvent(GroupNamed, (state, { group_id: id }) =>
      withGroups(state, withoutItems(state.userGroups, [id], 'id')),
    ),
  }),
};
