import type { invitations } from '../../contract/api/invitations.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { InvitationOperations } from '../domain/invitations.ts';

export const invitationHandlers = (domain: InvitationOperations): Handlers<typeof invitations> => ({
  list: async ({ caller, origin }) => ({ invites: await domain.listInvitations(caller, origin) }),
  async invite({ caller }, params) {
    await domain.invite(caller, params);
    return {};
  },
  async revoke({ caller }, { inviteId }) {
    await domain.revokeInvitation(caller, inviteId);
    return {};
  },
  accept: (_call, params) => domain.acceptInvitation(params),
});
