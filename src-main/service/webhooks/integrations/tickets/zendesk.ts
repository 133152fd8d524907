import { type Declaration, note } from '#service/webhooks/common/integration.ts';
import { link, md, quote } from '#service/webhooks/common/markdown.ts';
import { zendeskSignature } from '#service/webhooks/common/signatures.ts';

export const zendesk: Declaration = {
  name: 'zendesk',
  title: 'Zendesk',
  about: 'The message that a trigger writes of a ticket.',
  subject: 'tickets',
  steps: [
    'Open Zendesk, then Admin center → Apps and integrations → Webhooks → Create webhook.',
    'Choose triggers and automations, paste the address as endpoint URL, POST and form encoding.',
    'Make a trigger that notifies the webhook with ticket_id, ticket_title and message.',
    'If you want deliveries verified, give the signing secret that Zendesk shows to this integration here.',
  ],
  body: 'form',
  events: {
    message(p) {
      const id = p.scalar('ticket_id');
      const title = p.text('ticket_title');
      return note({
        topic: `#${id}: ${title}`,
        line: md`Ticket ${link(`#${id} ${title}`, p.maybeText('ticket_url'))}`,
        below: [quote(p.text('message'))],
      });
    },
  },
  signature: zendeskSignature,
};
