import type { presence } from '../../contract/api/presence.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { PresenceOperations } from '../domain/presence.ts';

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
