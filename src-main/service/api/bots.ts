import type { bots, botStorage } from '../../contract/api/bots.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { BotAdminOperations } from '../domain/bot-admin.ts';
import type { BotStorageOperations } from '../domain/bot-storage.ts';

export const botHandlers = (domain: BotAdminOperations): Handlers<typeof bots> => ({
  create: ({ caller, origin, files }, request) => domain.createBot(caller, request, origin, files),
  list: async ({ caller }) => ({ bots: [...(await domain.listOwnBots(caller))] }),
  update: ({ caller }, change) => domain.updateBot(caller, change),
  regenerateKey: async ({ caller }, { botId }) => ({
    api_key: await domain.regenerateBotKey(caller, botId),
  }),
  async deactivate({ caller }, { botId }) {
    await domain.deactivateBot(caller, botId);
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
