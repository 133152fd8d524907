import type { bots, botStorage } from '#shared/api/endpoints/bots/bots.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { BotAdminOperations } from '../operations/bot-admin.ts';
import type { BotStorageOperations } from '../operations/bot-storage.ts';

export const botHandlers = (domain: BotAdminOperations): Handlers<typeof bots> => ({
  create: (call, request) => domain.createBot(call, request, call.origin, call.files),
  list: async ({ caller }) => ({ bots: [...(await domain.listOwnBots(caller))] }),
  update: (call, change) => domain.updateBot(call, change),
  regenerateKey: async (call, { botId }) => ({
    api_key: await domain.regenerateBotKey(call, botId),
  }),
  async deactivate(call, { botId }) {
    await domain.deactivateBot(call, botId);
    return {};
  },
});

export const botStorageHandlers = (domain: BotStorageOperations): Handlers<typeof botStorage> => ({
  async put({ caller }, { storage }) {
    await domain.put(caller, storage);
    return {};
  },
  get: async ({ caller }, { keys }) => ({ storage: await domain.get(caller, keys) }),
  async remove({ caller }, { keys }) {
    await domain.remove(caller, keys);
    return {};
  },
});
