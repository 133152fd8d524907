/** What the page of the services that deliver here says. */
import type { DeliveryOutcome, LoggedDelivery } from '#shared/api/models/delivery.ts';
import type { Integration } from '#shared/api/models/integration.ts';
import { count } from '../count.ts';

const outcomes: Readonly<Record<DeliveryOutcome, string>> = {
  posted: 'Posted',
  silent: 'Nothing to say',
  paused: 'Held while paused',
  refused: 'Refused',
  limited: 'Too many',
  waiting: 'Waiting to try again',
  answered: 'Answered',
  failed: 'Failed',
};

const subjects: Readonly<Record<Integration['subject'], string>> = {
  code: 'Code',
  builds: 'Builds and deploys',
  alarms: 'Alarms',
  tickets: 'Tickets and boards',
  business: 'Business',
  anything: 'Anything else',
};

export const integrationWords = {
  outcomes,
  subjects,
  back: 'All integrations',
  mine: 'Set up',
  add: 'Add an integration',
  addHint: 'Other services post here by themselves: commits, builds, alarms, tickets, payments.',
  adminsOnly: 'In your organization only administrators set up integrations.',
  search: 'Find a service',
  clear: 'Empty the field',
  none: 'No service has this name. Whatever can post to Slack, or sends JSON, can post here too.',
  setUp: (title: string): string => `Set up ${title}`,
  elsewhere: 'Incoming webhook',

  name: 'Name',
  nameHint: 'Its messages come under this name.',
  stream: 'Stream',
  streamHint: 'Where its messages go.',
  onlyMe: 'Only me, in private',
  topic: 'Topic',
  topicFromService: 'From the service',
  topicFixed: 'Always the same',
  topicName: 'Name of the topic',
  events: 'Events',
  eventsHint: 'What is not checked is left out.',
  noEvent: 'Check at least one event.',
  secret: 'Secret',
  secretHint:
    'Not required. With a secret, whatever is not signed with it is refused. Enter the same one at the service.',
  create: 'Set up',
  creating: 'Setting up…',

  address: 'Address for the service',
  addressHint: 'Whoever has it can post here. Give it to the service alone.',
  copyAddress: 'Copy address',
  steps: (title: string): string => `What to do in ${title}`,
  local: 'This address is of this computer alone: services on the internet cannot reach it.',
  localHint:
    'A service on this computer can. For others, let the office be reached under an address of its network, a public one, or by a tunnel (such as cloudflared or Tailscale Funnel), and set the integration up in a window that is connected by that address.',
  waiting: 'Waiting for the first message …',
  arrived: 'The first message is here.',
  came: (outcome: DeliveryOutcome): string =>
    `A delivery came: ${outcomes[outcome].toLowerCase()}.`,
  why: 'See why',

  never: 'Nothing has come yet',
  last: (outcome: DeliveryOutcome, when: string): string => `${outcomes[outcome]}, ${when}`,
  paused: 'Paused',
  manage: 'Manage',
  manageLabel: (name: string): string => `Manage ${name}`,
  deliveries: 'Deliveries',
  deliveriesOf: (name: string): string => `Deliveries of ${name}`,
  pause: 'Pause',
  goOn: 'Go on',
  renew: 'Renew key…',
  remove: 'Remove…',
  renewTitle: (name: string): string => `Renew the key of ${name}?`,
  renewText: (services: string): string =>
    `${services} falls silent until you enter the new address there.`,
  renewRun: 'Renew key',
  deactivateText: (service: string): string => `${service} falls silent.`,
  removeTitle: (name: string): string => `Remove ${name}?`,
  removeText: (services: string): string => `${services} can post here no more. Its messages stay.`,
  removeRun: 'Remove',

  inboxHint: 'The last 100 of seven days. Only you see them.',
  nothing: 'Nothing was delivered in the last seven days.',
  event: (entry: LoggedDelivery): string => (entry.event === '' ? 'Delivery' : entry.event),
  counted: (n: number): string => count(n, 'delivery refused', 'deliveries refused'),
  attempts: (n: number): string => count(n, 'attempt', 'attempts'),
  attempt: (status: number, when: string): string =>
    status === 0 ? `${when}: no answer` : `${when}: answered with ${String(status)}`,
  again: 'Send again',
  sending: 'Sending…',
  againOf: 'Sent again',
  againIn: 'Send again to',
  asBefore: 'As it was',
  wasSent: (outcome: DeliveryOutcome): string => `Sent again: ${outcomes[outcome].toLowerCase()}.`,
  notWhole: 'It was too long to be kept whole, so it cannot be sent again.',
  curl: 'Copy as curl',
  reason: 'Why',
  answer: 'Answer',
  headers: 'Headers',
  body: 'Body',
  query: 'Arguments',
  allDeliveries: 'All deliveries',
} as const;
