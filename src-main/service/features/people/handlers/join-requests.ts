import type { joinRequests } from '#shared/api/endpoints/people/join-requests.ts';
import type { JoinRequestOperations } from '../operations/join-requests.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';

export const joinRequestHandlers = (
  domain: JoinRequestOperations,
): Handlers<typeof joinRequests> => ({
  ask: (call, params) => domain.askToJoin(call, params),
  state: (call, { secret }) => domain.joinRequestState(call, secret),
  async withdraw(call, { secret }) {
    await domain.withdrawJoinRequest(call, secret);
    return {};
  },
  list: () => domain.listJoinRequests(),
  async accept(call, { requestId, ...to }) {
    await domain.acceptJoinRequest(call, requestId, to);
    return {};
  },
  async decline(call, { requestId }) {
    await domain.declineJoinRequest(call, requestId);
    return {};
  },
});
