import type { invitations } from '#shared/api/endpoints/people/invitations.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { InvitationOperations } from '../operations/invitations.ts';

export const invitationHandlers = (domain: InvitationOperations): Handlers<typeof invitations> => ({
  list: async ({ caller, sharedOrigin }) => ({
    invites: await domain.listInvitations(caller, sharedOrigin),
  }),
  async invite(call, params) {
    await domain.invite(call, params);
    return {};
  },
  inviteMany: (call, params) => domain.inviteMany(call, params, call.sharedOrigin),
  async revoke(call, { inviteId }) {
    await domain.revokeInvitation(call, inviteId);
    return {};
  },
  look: (call, { token }) => domain.lookAtInvitation(call, token),
  accept: (call, params) => domain.acceptInvitation(call, params),
});
