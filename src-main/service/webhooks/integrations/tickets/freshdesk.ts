import { type Declaration, note } from '#service/webhooks/common/integration.ts';
import { bold, link, md, quote, wordFor, wordsOfHtml } from '#service/webhooks/common/markdown.ts';

const statuses = {
  2: 'Open',
  3: 'Pending',
  4: 'Resolved',
  5: 'Closed',
  6: 'Waiting on Customer',
  7: 'Waiting on Third Party',
};
const priorities = { 1: 'Low', 2: 'Medium', 3: 'High', 4: 'Urgent' };

/** `{status:{from:4,to:6}}` in words. */
function changeOf(event: string): string | undefined {
  const [, field, from = '', to = ''] =
    /^\{?\s*(status|priority)\s*:\s*\{\s*from:(\d{1,3}),\s*to:(\d{1,3})\s*\}/.exec(event) ?? [];
  if (field === undefined) return undefined;
  const names = field === 'status' ? statuses : priorities;
  return `${field} from ${wordFor(names, from) ?? from} to ${wordFor(names, to) ?? to}`;
}

function happened(event: string): string {
  const change = changeOf(event);
  if (change !== undefined) return `changed its ${change}`;
  const note = /note_type:\s*(public|private)/.exec(event)?.[1];
  if (note !== undefined) return `got a ${note} note`;
  return /ticket_action:\s*created/.test(event) ? 'was created' : 'was updated';
}

export const freshdesk: Declaration = {
  name: 'freshdesk',
  title: 'Freshdesk',
  about: 'Tickets that are created or changed, and notes on them.',
  subject: 'tickets',
  steps: [
    'Open Freshdesk, then Admin → Workflows → Automations, and make or open a rule.',
    'Add the action Trigger webhook with POST, the address as URL, JSON as encoding, and Simple as content with all fields of the ticket.',
    'Save the rule and change a ticket.',
  ],
  events: {
    message(p) {
      const ticket = p.object('freshdesk_webhook');
      const id = ticket.scalar('ticket_id');
      const subject = ticket.text('ticket_subject');
      const named = link(`ticket #${id}`, ticket.maybeText('ticket_url'));
      return note({
        topic: `#${id}: ${subject}`,
        line: md`${bold(ticket.text('requester_name'))}: ${named} ${happened(ticket.text('triggered_event'))}`,
        values: [
          ['Subject', subject],
          ['Type', ticket.maybeText('ticket_type')],
          ['Status', ticket.text('ticket_status')],
          ['Priority', ticket.text('ticket_priority')],
          ['Requester', md`${ticket.text('requester_name')} (${ticket.text('requester_email')})`],
        ],
        below: [quote(wordsOfHtml(ticket.text('ticket_description')))],
      });
    },
  },
};
