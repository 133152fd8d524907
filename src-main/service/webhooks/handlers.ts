/** What owners of bots see of deliveries, and how they set up services (API decisions 15.12). */
import { refusal } from '#shared/api/refusal.ts';
import type { deliveries, integrations } from '#shared/api/endpoints/bots/integrations.ts';
import type { Integration } from '#shared/api/models/integration.ts';
import type { DeliveryLogOperations } from '../features/bots/operations/delivery-log.ts';
import type { Handlers } from '../core/ports/handlers.ts';
import type { Inbox } from './inbox.ts';
import type { createRepeat } from './incoming.ts';
import { integrationList, integrations as declarations } from './integrations/index.ts';

const MAX_EVENTS = 200;
const MAX_TEXT = 200;

const listed: readonly Integration[] = integrationList.map(
  ({ name, title, about, subject, events, isSigned, steps }) => ({
    name,
    title,
    about,
    subject,
    events: [...events],
    is_signed: isSigned,
    steps: [...steps],
  }),
);

/** @throws BAD_REQUEST */
function checkSetup(integration: string, texts: readonly string[]): void {
  if (!declarations.has(integration)) throw refusal('no_such_integration', { integration });
  if (texts.length > MAX_EVENTS || texts.some((text) => text.length > MAX_TEXT)) {
    throw refusal('too_much_to_remember');
  }
}

export const integrationHandlers = (
  deliveryLog: DeliveryLogOperations,
): Handlers<typeof integrations> => ({
  list: () => Promise.resolve({ integrations: [...listed] }),
  bots: async ({ caller }) => ({ bots: [...(await deliveryLog.listHookBots(caller))] }),
  async setUp({ caller }, { botId, integration, stream = '', topic = '', onlyEvents = [] }) {
    checkSetup(integration, [stream, topic, ...onlyEvents]);
    const setup = { integration, stream, topic, only_events: [...onlyEvents] };
    await deliveryLog.setUp(caller, botId, setup);
    return {};
  },
  async pause({ caller }, { botId, isPaused }) {
    await deliveryLog.pause(caller, botId, isPaused);
    return {};
  },
});

export interface DeliveryParts {
  readonly deliveryLog: DeliveryLogOperations;
  readonly inbox: Pick<Inbox, 'settle'>;
  readonly repeat: ReturnType<typeof createRepeat>;
  /** Has outgoing webhook bots told of what was noted since. */
  readonly wakeOutgoing: () => void;
}

export const deliveryHandlers = ({
  deliveryLog,
  inbox,
  repeat,
  wakeOutgoing,
}: DeliveryParts): Handlers<typeof deliveries> => ({
  async list({ caller }, { botId }) {
    // What was answered already is in the list, too.
    await inbox.settle();
    return { deliveries: [...(await deliveryLog.list(caller, botId))] };
  },
  async get({ caller }, { botId, deliveryId }) {
    await inbox.settle();
    return { delivery: await deliveryLog.get(caller, botId, deliveryId) };
  },
  async again(call, { botId, deliveryId, stream, topic }) {
    const { caller } = call;
    const countMore = (count: number): void => {
      call.countMore(count);
    };
    await inbox.settle();
    const found = await deliveryLog.findIncoming(caller, botId, deliveryId);
    const id =
      found === undefined
        ? await deliveryLog.resend(caller, botId, deliveryId)
        : await repeat(found, deliveryId, { instead: { stream, topic }, countMore });
    const answer = { delivery: await deliveryLog.get(caller, botId, id) };
    if (found === undefined) wakeOutgoing();
    return answer;
  },
});
