import type { presence } from '#shared/api/endpoints/people/presence.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { PresenceOperations } from '../operations/presence.ts';

export const presenceHandlers = (domain: PresenceOperations): Handlers<typeof presence> => ({
  async report({ caller, client }, params) {
    const named = params.client?.trim() ?? '';
    await domain.reportPresence(caller, {
      client: named === '' ? client : named,
      status: params.status,
    });
    return params.pingOnly ? {} : domain.listPresences();
  },
  ofUser: async (_call, { user }) => ({ presence: await domain.getPresence(user) }),
  list: () => domain.listPresences(),
});
