import type { presence } from '../../../contract/api/people/presence.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { PresenceOperations } from '../../domain/people/presence.ts';

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
