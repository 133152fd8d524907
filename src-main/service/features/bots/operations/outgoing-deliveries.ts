/** What outgoing webhook bots are told of (API decisions 7.4). */
import type { Caller } from '#service/core/ports/handlers.ts';
import type { EventMessage } from '#shared/api/models/message.ts';
import type { BotServiceRow, Store } from '#service/db/port.ts';
import { peopleOf } from '#service/features/reading/operations/people-in-messages.ts';
import { messageShape } from '#service/core/rules/shapes.ts';

/** A delivery that waits, in the order of its message. */
export interface WaitingDelivery {
  readonly id: number;
  readonly botId: number;
}

export interface Delivery {
  readonly id: number;
  /** How many were made and failed. */
  readonly attempts: number;
  readonly trigger: string;
  readonly bot: Caller;
  readonly service: BotServiceRow;
  /** With its raw content (API decisions 5). */
  readonly message: EventMessage;
}

export interface DeliveryOperations {
  readonly listWaiting: (afterId: number) => Promise<readonly WaitingDelivery[]>;
  /** Undefined when there is nothing to be delivered any more: the bot or the message is gone, or the bot has another owner. */
  readonly load: (waiting: WaitingDelivery) => Promise<Delivery | undefined>;
  readonly countAttempt: (id: number) => Promise<void>;
  readonly finish: (id: number) => Promise<void>;
}

const AT_ONCE = 500;

export function deliveryOperations(store: Store): DeliveryOperations {
  return {
    async listWaiting(afterId) {
      const rows = await store.listDeliveries(afterId, AT_ONCE);
      return rows.map((row) => ({ id: row.id, botId: row.account_id }));
    },
    async load({ id, botId }) {
      const row = (await store.listDeliveries(id - 1, 1))[0];
      if (row?.id !== id) return undefined;
      const bot = await store.findUser(botId);
      const service = await store.findBotService(botId);
      const message = await store.findMessage(row.message_id);
      if (bot?.is_active !== 1 || service === undefined || message === undefined) return undefined;
      if (bot.owner_id !== row.owner_id) return undefined;
      return {
        id,
        attempts: row.attempts,
        trigger: row.trigger_name,
        bot: {
          userId: bot.id,
          email: bot.email,
          fullName: bot.full_name,
          role: bot.role,
          botType: bot.bot_type,
          ownerId: bot.owner_id,
        },
        service,
        message: messageShape(message, await peopleOf(store)(message), {
          applyMarkdown: false,
          clientGravatar: false,
        }),
      };
    },
    countAttempt: (id) => store.countDeliveryAttempt(id),
    finish: (id) => store.deleteDelivery(id),
  };
}
