import {
  type Declaration,
  type Message,
  note,
  unknownEvent,
} from '#service/webhooks/common/integration.ts';
import { bold, enumerate, link, md, wordFor } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

/** By what stands behind `incident.`; the first forms of the payload name the same otherwise. */
const verbs: Readonly<Record<string, string>> = {
  triggered: 'triggered',
  trigger: 'triggered',
  acknowledged: 'acknowledged',
  acknowledge: 'acknowledged',
  unacknowledged: 'unacknowledged',
  unacknowledge: 'unacknowledged',
  resolved: 'resolved',
  resolve: 'resolved',
  reopened: 'reopened',
  reassigned: 'reassigned',
  assign: 'assigned',
  escalated: 'escalated',
  escalate: 'escalated',
  delegated: 'delegated',
  delegate: 'delegated',
  annotated: 'annotated',
  annotate: 'annotated',
  priority_updated: 'given another priority',
};

function verbOf(event: string): string {
  const verb = wordFor(verbs, event.replace(/^incident\./, ''));
  if (verb === undefined) throw unknownEvent('pagerduty', event);
  return verb;
}

interface Incident {
  readonly name: string;
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly verb: string;
  readonly service: string | undefined;
  readonly serviceUrl: string | undefined;
  readonly assignees: readonly string[];
  readonly by: string | undefined;
  readonly urgency?: string | undefined;
  readonly policy: string | undefined;
}

const write = (incident: Incident): Message =>
  note({
    topic: `Incident ${incident.name}`,
    line: md`Incident ${link(incident.name, incident.url)} ${bold(incident.verb)}${
      incident.assignees.length === 0 ? '' : md`, assigned to ${enumerate(incident.assignees)}`
    }`,
    values: [
      ['Title', incident.title],
      ['Service', link(incident.service ?? '', incident.serviceUrl)],
      ['By', incident.by],
      ['Urgency', incident.urgency],
      ['Escalation policy', incident.policy],
    ],
  });

const third = (p: Payload): Message => {
  const event = p.object('event');
  const data = event.object('data');
  return write({
    name: `${data.text('title')} (#${data.scalar('number')})`,
    title: undefined,
    url: data.maybeText('html_url'),
    verb: verbOf(event.text('event_type')),
    service: data.maybeText('service.summary'),
    serviceUrl: data.maybeText('service.html_url'),
    assignees: data.maybeList('assignees').map((each) => each.text('summary')),
    by: event.maybeText('agent.summary'),
    policy: data.maybeText('escalation_policy.summary'),
    urgency: data.maybeText('urgency'),
  });
};

const second = (p: Payload): Message => {
  const incident = p.object('incident');
  return write({
    name: incident.scalar('incident_number'),
    title: incident.maybeText('title'),
    url: incident.maybeText('html_url'),
    verb: verbOf(p.text('event')),
    service: incident.maybeText('service.name') ?? incident.maybeText('service.summary'),
    serviceUrl: incident.maybeText('service.html_url'),
    assignees: incident.maybeList('assignments').map((each) => each.text('assignee.summary')),
    by: incident.maybeText('last_status_change_by.summary'),
    policy: incident.maybeText('escalation_policy.summary'),
    urgency: incident.maybeText('urgency'),
  });
};

const first = (p: Payload): Message => {
  const incident = p.object('data.incident');
  return write({
    name: incident.scalar('incident_number'),
    title:
      incident.maybeText('trigger_summary_data.subject') ??
      incident.maybeText('trigger_summary_data.description') ??
      incident.maybeText('incident_key'),
    url: incident.maybeText('html_url'),
    verb: verbOf(p.text('type')),
    service: incident.maybeText('service.name'),
    serviceUrl: incident.maybeText('service.html_url'),
    assignees: incident.maybeList('assigned_to').map((each) => each.text('object.name')),
    by: incident.maybeText('last_status_change_by.name'),
    policy: incident.maybeText('escalation_policy.name'),
  });
};

const earlier = (p: Payload): readonly Message[] =>
  p.list('messages').map((message) => (message.has('event') ? second(message) : first(message)));

export const pagerduty: Declaration = {
  name: 'pagerduty',
  title: 'PagerDuty',
  about: 'Incidents that are triggered, acknowledged, assigned and resolved.',
  subject: 'alarms',
  steps: [
    'Open PagerDuty, then Integrations → Generic webhooks (v3) → New webhook.',
    'Paste the address into Webhook URL, choose the scope and the events.',
    'If you want deliveries verified, give the secret that PagerDuty shows to this integration here.',
    'Press Send test event.',
  ],
  event: {
    key: 'event.event_type, or messages.0.event in older versions',
    read: (p) =>
      p.has('messages')
        ? (p.maybeText('messages.0.event') ?? p.text('messages.0.type'))
        : p.text('event.event_type'),
  },
  events: { 'incident.*': (p) => (p.has('messages') ? earlier(p) : third(p)) },
  silent: ['pagey.ping', 'service.*'],
  signature: signedBody({ header: 'x-pagerduty-signature', prefix: 'v1=' }),
};
