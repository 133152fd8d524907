/** Services that deliver, and what they delivered, as a window hears of them. */
import { success } from '#shared/bridge/outcome.ts';
import type { WholeDelivery } from '#shared/api/models/delivery.ts';
import type { HookBot, Integration } from '#shared/api/models/integration.ts';
import type { RequestArguments } from '#shared/bridge/requestable.ts';
import type { BridgeDouble } from './bridge-double.ts';

const integration = (over: Partial<Integration>): Integration => ({
  name: 'github',
  title: 'GitHub',
  about: 'Pushes, pull requests and issues of repositories.',
  subject: 'code',
  events: ['push', 'issues'],
  is_signed: true,
  steps: ['Open the repository.', 'Paste the address.'],
  ...over,
});

const listed: readonly Integration[] = [
  integration({}),
  integration({
    name: 'sentry',
    title: 'Sentry',
    about: 'Errors of applications.',
    subject: 'alarms',
  }),
  integration({
    name: 'json',
    title: 'JSON',
    about: 'Any JSON, as it was sent.',
    subject: 'anything',
    events: [],
    is_signed: false,
  }),
];

export const hookBot = (over: Partial<HookBot> = {}): HookBot => ({
  bot_id: 30,
  full_name: 'GitHub',
  api_key: 'k3y',
  setup: { integration: 'github', stream: '2', topic: '', only_events: [] },
  is_paused: false,
  has_secret: false,
  last_delivery: null,
  ...over,
});

export const delivery = (over: Partial<WholeDelivery> = {}): WholeDelivery => ({
  id: 1,
  direction: 'incoming',
  time: 1_767_700_000,
  last_time: 1_767_700_000,
  integration: 'github',
  event: 'ping',
  outcome: 'posted',
  status: 200,
  reason: '',
  count: 1,
  message_ids: [1],
  again_of: null,
  query: 'stream=2',
  headers: [['x-github-event', 'push']],
  body: '{"zen":"Calm"}',
  can_send_again: true,
  told_message_id: null,
  trigger: '',
  attempts: [],
  ...over,
});

interface HookOffice {
  bots: readonly HookBot[];
  /** Every bot's, the newest first. */
  deliveries: readonly WholeDelivery[];
}

/** What is in it now is what is answered. */
export function furnishHooks(bridge: BridgeDouble): HookOffice {
  const office: HookOffice = { bots: [], deliveries: [] };
  bridge.answerRequest('integrations.list', () => success({ integrations: [...listed] }));
  bridge.answerRequest('integrations.bots', () => success({ bots: [...office.bots] }));
  bridge.answerRequest('deliveries.list', () => success({ deliveries: [...office.deliveries] }));
  bridge.answerRequest('deliveries.get', ({ deliveryId }: RequestArguments<'deliveries.get'>) =>
    success({ delivery: office.deliveries.find(({ id }) => id === deliveryId) }),
  );
  return office;
}
