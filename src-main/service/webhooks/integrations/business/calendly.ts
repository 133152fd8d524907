import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import { bold, md, moment, quote } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

const invitee =
  (what: string) =>
  (p: Payload): Message => {
    const data = p.object('payload');
    const event =
      data.maybeText('scheduled_event.name') ?? data.maybeText('event_type.name') ?? 'a meeting';
    const start =
      data.maybeText('scheduled_event.start_time') ?? data.maybeText('event.start_time');
    return note({
      topic: event,
      line: md`${bold(data.maybeText('name') ?? data.text('invitee.name'))} ${what} ${bold(event)}`,
      values: [
        ['Start', moment(start)],
        ['Email', data.maybeText('email') ?? data.maybeText('invitee.email')],
      ],
      below: [quote(data.maybeText('cancellation.reason'))],
    });
  };

export const calendly: Declaration = {
  name: 'calendly',
  title: 'Calendly',
  about: 'Meetings that are arranged and cancelled.',
  subject: 'business',
  steps: [
    'Make a personal access token of Calendly: Integrations → API and webhooks.',
    'Post to https://api.calendly.com/webhook_subscriptions with the address as url and the events invitee.created and invitee.canceled.',
    'Arrange a meeting.',
  ],
  event: { key: 'event', read: (p) => p.text('event') },
  events: { 'invitee.created': invitee('arranged'), 'invitee.canceled': invitee('cancelled') },
  silent: ['invitee_no_show.*', 'routing_form_submission.*'],
};
