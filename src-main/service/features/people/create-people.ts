/** Accounts, what people set and show of themselves, groups, and how people come in. */
import type { FeatureContext } from '#service/core/feature-context.ts';
import { alertWordOperations } from '#service/core/text/alert-words.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
import { alertWordHandlers } from './handlers/alert-words.ts';
import { avatarHandlers } from './handlers/avatars.ts';
import { deviceHandlers } from './handlers/devices.ts';
import { invitationHandlers } from './handlers/invitations.ts';
import { joinRequestHandlers } from './handlers/join-requests.ts';
import { passwordLinkHandlers } from './handlers/password-links.ts';
import { presenceHandlers } from './handlers/presence.ts';
import { profileFieldHandlers } from './handlers/profile-fields.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { statusHandlers } from './handlers/statuses.ts';
import { userAdminHandlers } from './handlers/user-admin.ts';
import { userGroupHandlers } from './handlers/user-groups.ts';
import { userHandlers } from './handlers/users.ts';
import { avatarOperations } from './operations/avatars.ts';
import { deviceOperations } from './operations/devices.ts';
import { invitationOperations } from './operations/invitations.ts';
import { joinRequestOperations } from './operations/join-requests.ts';
import { hostInvitationOperations } from './operations/local-invitations.ts';
import { localPeopleOperations } from './operations/local-people.ts';
import { linkOperations } from './operations/password-links.ts';
import { presenceOperations } from './operations/presence.ts';
import { profileOperations } from './operations/profile.ts';
import { settingsOperations } from './operations/settings.ts';
import { statusOperations } from './operations/statuses.ts';
import { userAdminOperations } from './operations/user-admin.ts';
import { userGroupOperations } from './operations/user-groups.ts';
import { userOperations } from './operations/users.ts';

export function createPeople(context: FeatureContext, loadConfusables: () => Promise<Confusables>) {
  const { store, clock } = context;
  const users = userOperations(store, context);
  const links = linkOperations(store, context);
  const avatars = avatarOperations(store, context);
  const invitations = invitationOperations(store, context);
  const joining = joinRequestOperations(store, context, loadConfusables);
  return {
    handlers: {
      users: userHandlers(users),
      userAdmin: userAdminHandlers(userAdminOperations(store, context)),
      devices: deviceHandlers(deviceOperations(store, context, users)),
      passwordLinks: passwordLinkHandlers(links),
      settings: settingsHandlers(settingsOperations(store, context)),
      presence: presenceHandlers(presenceOperations(store, () => clock.now())),
      statuses: statusHandlers(statusOperations(store)),
      avatars: avatarHandlers(avatars),
      alertWords: alertWordHandlers(alertWordOperations(store)),
      userGroups: userGroupHandlers(userGroupOperations(store, context)),
      profileFields: profileFieldHandlers(profileOperations(store, context)),
      invitations: invitationHandlers(invitations),
      joinRequests: joinRequestHandlers(joining),
    },
    users,
    avatars,
    makePasswordLink: links.makePasswordLinkFromHost,
    inviteFromHost: hostInvitationOperations(store, invitations).inviteFromHost,
    local: localPeopleOperations(store, context, links),
    sweeps: { 'requests to join': joining.trimJoinRequests },
  };
}
