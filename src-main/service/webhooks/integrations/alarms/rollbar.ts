import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import { bold, count, md, moment, wordFor } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

const levels: Readonly<Record<string, string>> = {
  10: 'debug',
  20: 'info',
  30: 'warning',
  40: 'error',
  50: 'critical',
};

const levelOf = (p: Payload): string | undefined =>
  p.maybeText('data.occurrence.level') ??
  p.maybeText('data.item.last_occurrence.level') ??
  wordFor(levels, p.maybeScalar('data.item.level') ?? '');

const item =
  (what: string) =>
  (p: Payload): Message => {
    const number = p.scalar('data.item.counter');
    const title = p.text('data.item.title');
    const total = p.maybeNumber('data.occurrences') ?? p.maybeNumber('data.item.total_occurrences');
    const time = p.maybeNumber('data.item.last_occurrence_timestamp');
    return note({
      topic: `#${number} ${title}`,
      line: md`${bold(md`#${number} ${title}`)} ${what}`,
      values: [
        ['Level', levelOf(p)],
        ['Environment', p.maybeText('data.item.environment')],
        ['Occurred', total === undefined ? undefined : count(total, 'time')],
        [
          'Host',
          p.maybeText('data.occurrence.server.host') ??
            p.maybeText('data.item.last_occurrence.server.host'),
        ],
        ['Last time', moment(time)],
      ],
    });
  };

const deploy = (p: Payload): Message =>
  note({
    topic: 'deploys',
    line: md`${bold(p.maybeText('data.deploy.local_username') ?? 'Somebody')} deployed ${p.maybeText('data.deploy.revision') ?? ''} to ${p.text('data.deploy.environment')}`,
    values: [['Comment', p.maybeText('data.deploy.comment')]],
  });

export const rollbar: Declaration = {
  name: 'rollbar',
  title: 'Rollbar',
  about: 'Errors that are new, come back, come often or are resolved, and deploys.',
  subject: 'alarms',
  steps: [
    'Open the project on Rollbar, then Settings → Notifications → Webhook.',
    'Paste the address into URL and enable it.',
    'Choose the rules, and send a test notification.',
  ],
  event: { key: 'event_name', read: (p) => p.text('event_name') },
  events: {
    new_item: item('is new'),
    occurrence: item('occurred'),
    exp_repeat_item: item('occurred again and again'),
    item_velocity: item('occurs often'),
    reactivated_item: item('was reactivated'),
    resolved_item: item('was resolved'),
    reopened_item: item('was reopened'),
    deploy,
  },
  silent: ['test'],
};
