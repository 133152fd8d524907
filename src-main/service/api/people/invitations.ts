import type { invitations } from '../../../contract/api/people/invitations.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { InvitationOperations } from '../../domain/people/invitations.ts';

export const invitationHandlers = (domain: InvitationOperations): Handlers<typeof invitations> => ({
  list: async ({ caller, origin }) => ({ invites: await domain.listInvitations(caller, origin) }),
  async invite(call, params) {
    await domain.invite(call, params);
    return {};
  },
  inviteMany: (call, params) => domain.inviteMany(call, params, call.origin),
  async revoke(call, { inviteId }) {
    await domain.revokeInvitation(call, inviteId);
    return {};
  },
  look: (call, { token }) => domain.lookAtInvitation(call, token),
  accept: (call, params) => domain.acceptInvitation(call, params),
});
