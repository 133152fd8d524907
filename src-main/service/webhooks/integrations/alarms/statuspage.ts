import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import { bold, link, md, quote, words } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

const incident = (p: Payload): Message => {
  const name = p.text('incident.name');
  const status = words(p.text('incident.status'));
  return note({
    topic: `${name}: ${status}`,
    line: md`Incident ${link(name, p.maybeText('incident.shortlink'))} is ${bold(status)}`,
    values: [
      ['Impact', p.maybeText('incident.impact')],
      ['Page', p.maybeText('page.status_description')],
    ],
    below: [quote(p.maybeText('incident.incident_updates.0.body'))],
  });
};

const component = (p: Payload): Message => {
  const name = p.text('component.name');
  const before = words(p.text('component_update.old_status'));
  const after = words(p.text('component_update.new_status'));
  return note({
    topic: `${name}: ${after}`,
    line: md`${bold(name)} changed from ${before} to ${bold(after)}`,
    values: [['Page', p.maybeText('page.status_description')]],
    below: [quote(p.maybeText('component.description'))],
  });
};

export const statuspage: Declaration = {
  name: 'statuspage',
  title: 'Statuspage',
  about: 'Incidents and components whose state changes.',
  subject: 'alarms',
  steps: [
    'Open your page on Statuspage and press Subscribe to updates.',
    'Choose Webhook, paste the address, and give an e-mail address for the case that it fails.',
    'Confirm.',
  ],
  event: {
    key: 'part: incident or component_update',
    read: (p) =>
      p.has('component_update') || !p.has('incident') ? 'component_update' : 'incident',
  },
  events: { incident, component_update: component },
};
