import {
  type Declaration,
  type Message,
  note,
  type Outcome,
  type Write,
} from '#service/webhooks/common/integration.ts';
import {
  bold,
  capital,
  fence,
  type Labelled,
  link,
  md,
  moment,
  words,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

/** Where it broke: the last frame is the innermost. */
function lastFrame(event: Payload): readonly string[] {
  const frames = event
    .maybeList('exception.values')
    .flatMap((value) => value.maybeList('stacktrace.frames').slice(-1));
  const frame = frames.at(-1);
  if (frame === undefined) return [];
  const file =
    frame.maybeText('filename') ?? frame.maybeText('abs_path') ?? frame.maybeText('module');
  const line = frame.maybeNumber('lineno');
  const place = `${file ?? 'somewhere'}${line === undefined ? '' : `, line ${line}`}`;
  const inside = frame.maybeText('function');
  return [
    inside === undefined ? place : `${place}, in ${inside}`,
    ...frame.maybeList('pre_context').map((text) => text.text('')),
    ...(frame.has('context_line') ? [frame.text('context_line')] : []),
    ...frame.maybeList('post_context').map((text) => text.text('')),
  ];
}

interface FoundEvent {
  readonly title: string;
  readonly event: Payload;
  readonly url: string | undefined;
  readonly project: string | undefined;
  readonly rule: string | undefined;
}

/** Of the tags, which come as pairs or as objects. */
function tagOf(event: Payload, name: string): string | undefined {
  for (const tag of event.maybeList('tags')) {
    const isPair = Array.isArray(tag.raw());
    if (tag.maybeText(isPair ? '0' : 'key') === name) return tag.maybeText(isPair ? '1' : 'value');
  }
  return undefined;
}

const releaseOf = (event: Payload): string | undefined =>
  typeof event.raw('release') === 'string'
    ? event.maybeText('release')
    : (event.maybeText('release.version') ?? tagOf(event, 'release'));

const userOf = (event: Payload): string | undefined =>
  event.maybeText('user.name') ??
  event.maybeText('user.username') ??
  event.maybeText('user.email') ??
  tagOf(event, 'user');

function eventNote({ event, title, url, project, rule }: FoundEvent): Message {
  const frame = lastFrame(event);
  const time = event.maybeText('datetime') ?? event.maybeScalar('timestamp');
  return note({
    topic: title,
    line: md`${capital(event.maybeText('level') ?? 'error')}: ${bold(link(title, url))}`,
    values: [
      ['Project', project],
      ['Environment', event.maybeText('environment') ?? tagOf(event, 'environment')],
      ['Release', releaseOf(event)],
      ['User', userOf(event)],
      ['Platform', event.maybeText('platform')],
      ['Culprit', event.maybeText('culprit')],
      ['Message', event.maybeText('message')],
      ['Rule', rule],
      ['Time', /^[\d.]+$/.test(time ?? '') ? moment(Number(time)) : moment(time)],
    ],
    below: [fence(frame.join('\n'))],
  });
}

/** Addresses of the API name the project: `…/projects/ORGANIZATION/PROJECT/events/…`. */
const projectOf = (event: Payload): string | undefined =>
  event.maybeText('url')?.split('/projects/')[1]?.split('/')[1];

const alert = (p: Payload): Message => {
  const event = p.object('data.event');
  return eventNote({
    event,
    title: event.text('title'),
    url: event.maybeText('web_url'),
    project: projectOf(event),
    rule: p.maybeText('data.triggered_rule'),
  });
};

/** Sent by the older plugin, without a header; the oldest have no title. */
const legacy = (p: Payload): Message =>
  eventNote({
    event: p.object('event'),
    title:
      p.maybeText('event.title') ??
      p.maybeText('event.message') ??
      p.maybeText('message') ??
      p.text('culprit'),
    url: p.maybeText('url'),
    project: p.maybeText('project_name') ?? p.maybeText('project'),
    rule: p.maybeList('triggering_rules')[0]?.text(''),
  });

const error = (p: Payload): Message => {
  const event = p.object('data.error');
  return eventNote({
    event,
    title: event.text('title'),
    url: event.maybeText('web_url'),
    project: projectOf(event),
    rule: undefined,
  });
};

function issue(p: Payload): Message {
  const found = p.object('data.issue');
  const title = found.text('title');
  const action = words(p.text('action'));
  const url = found.maybeText('web_url') ?? found.maybeText('permalink') ?? found.maybeText('url');
  const named = link(md`${found.text('shortId')} ${title}`, url);
  const actor = p.maybeText('actor.name') ?? 'Sentry';
  const assignee = typeof found.raw('assignedTo') === 'string' ? 'assignedTo' : 'assignedTo.name';
  const values: readonly Labelled[] = [
    ['Level', found.maybeText('level')],
    ['Project', found.maybeText('project.name')],
    ['Culprit', found.maybeText('culprit')],
    ['Platform', found.maybeText('platform')],
    ['Status', found.maybeText('status')],
    ['Assignee', found.maybeText(assignee)],
  ];
  return note({ topic: title, line: md`${bold(actor)} ${action} issue ${named}`, values });
}

const metric: Write = (p): Outcome => {
  const rule = p.text('data.metric_alert.title');
  return note({
    topic: rule,
    line: md`Metric alert ${link(rule, p.maybeText('data.web_url'))}: ${bold(p.text('action'))}`,
    values: [['Description', p.maybeText('data.description_text')]],
  });
};

export const sentry: Declaration = {
  name: 'sentry',
  title: 'Sentry',
  about: 'Errors, issues and metric alerts of applications.',
  subject: 'alarms',
  steps: [
    'Open Sentry, then Settings → Integrations → Create new integration → Internal integration.',
    'Paste the address into Webhook URL and choose the resources, issue and error among them.',
    'If you want deliveries verified, give the Client secret that Sentry shows to this integration here.',
    'Save, and name the integration in the actions of an alert rule.',
  ],
  event: {
    headers: ['Sentry-Hook-Resource'],
    fallback: (p) => (p.has('event') ? 'legacy' : undefined),
  },
  events: { event_alert: alert, issue, metric_alert: metric, error, legacy },
  silent: ['installation', 'comment', 'seer', 'preprod_artifact'],
  signature: signedBody({ header: 'sentry-hook-signature' }),
};
