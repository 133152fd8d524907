/** Accounts in the initial state. */
import { profileFieldTypes } from '#shared/api/models/profile.ts';
import type { AccountRow } from '#service/db/port.ts';
import { canCreateStreams, canSubscribeOthers } from '#shared/policies/streams.ts';
import { fieldsShape, profilesOf } from '#service/features/people/rules/profile.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { avatarShape, userShape } from '#service/core/rules/shapes.ts';
import { part } from './section.ts';

const userPart = part(['users', 'realm', 'profileValues'], (request, facts) => {
  const { caller, clientGravatar } = request;
  const { users, realm } = facts;
  const settings = realmSettings(realm);
  const profileOf = profilesOf(facts.profileValues);
  const byId = new Map(users.map((user) => [user.id, user]));
  const shape = (user: AccountRow): object =>
    userShape(
      user,
      user.owner_id === null ? undefined : byId.get(user.owner_id),
      clientGravatar,
      profileOf(user.id),
    );
  const self = byId.get(caller.userId);
  return {
    realm_users: users.filter((user) => user.is_active === 1).map(shape),
    realm_non_active_users: users.filter((user) => user.is_active === 0).map(shape),
    cross_realm_bots: [],
    user_id: caller.userId,
    // As the snapshot has them: the caller was looked up before it was taken.
    email: self?.email ?? caller.email,
    full_name: self?.full_name ?? caller.fullName,
    delivery_email: self?.email ?? caller.email,
    is_admin: (self ?? caller).role === 'admin',
    is_guest: (self ?? caller).role === 'guest',
    ...(self === undefined ? {} : avatarShape(self, false)),
    can_create_streams: canCreateStreams(caller, settings),
    can_subscribe_other_users: canSubscribeOthers(caller, settings),
    enter_sends: true,
  };
});

const alertWordPart = part(['alertWords'], (_request, { alertWords }) => ({
  alert_words: alertWords,
}));

const userGroupPart = part(['userGroups'], (_request, { userGroups }) => ({
  realm_user_groups: userGroups,
}));

const profileFieldPart = part(['profileFields'], (_request, { profileFields }) => ({
  custom_profile_fields: fieldsShape(profileFields),
  custom_profile_field_types: profileFieldTypes,
}));

/** By the type of the events that go on from it. */
export const userParts = {
  realm_user: userPart,
  realm_user_groups: userGroupPart,
  custom_profile_fields: profileFieldPart,
  alert_words: alertWordPart,
};
