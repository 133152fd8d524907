import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import {
  bold,
  bullets,
  type Labelled,
  link,
  linkIfAny,
  moment,
  Markdown,
  md,
  quote,
  type Value,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

const icons: Readonly<Record<string, string>> = {
  alerting: '🚨',
  firing: '🚨',
  ok: '✅',
  resolved: '✅',
  no_data: '⚠️',
  paused: '⏸️',
};
const iconOf = (state: string): Markdown =>
  new Markdown(Object.hasOwn(icons, state) ? `${icons[state] ?? ''} ` : '');

/** What the alerting before Grafana 8 sends. */
const older = (p: Payload): Message => {
  const state = p.text('state');
  const rule = p.maybeText('ruleName') ?? p.text('title');
  return note({
    topic: rule,
    line: md`${iconOf(state)}${link(rule, p.maybeText('ruleUrl'))}: ${bold(state.replace('_', ' '))}`,
    values: [
      ['Title', p.maybeText('title')],
      ...p
        .maybeList('evalMatches')
        .map((match): Labelled => [match.text('metric'), match.maybeScalar('value') ?? 'null']),
      ['Image', linkIfAny('Image', p.maybeText('imageUrl'))],
    ],
    below: [quote(p.maybeText('message'))],
  });
};

/** `name = value` of all that an object has. */
function pairs(alert: Payload, path: string): Value | undefined {
  const all: readonly (readonly [string, unknown])[] = Object.entries(
    alert.maybeObject(path)?.raw() ?? {},
  );
  const texts = all.flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${key} = ${value}`] : [],
  );
  return texts.length === 0 ? undefined : texts.join(', ');
}

const pages: readonly (readonly [label: string, path: string])[] = [
  ['runbook', 'annotations.runbook_url'],
  ['dashboard', 'dashboardURL'],
  ['panel', 'panelURL'],
  ['source', 'generatorURL'],
  ['silence', 'silenceURL'],
  ['image', 'imageURL'],
];
const pagesOf = (alert: Payload): readonly Markdown[] =>
  pages.flatMap(([label, path]) => linkIfAny(label, alert.maybeText(path)) ?? []);

function alertLine(alert: Payload): Markdown {
  const name = alert.maybeText('labels.alertname') ?? 'Alert';
  const url =
    alert.maybeText('panelURL') ??
    alert.maybeText('dashboardURL') ??
    alert.maybeText('generatorURL');
  const parts: Value[] = [md`${bold(link(name, url))} is ${alert.text('status')}`];
  for (const path of ['annotations.summary', 'annotations.description']) {
    const text = alert.maybeText(path);
    if (text !== undefined) parts.push(text);
  }
  const labels = pairs(alert, 'labels');
  if (labels !== undefined) parts.push(md`labels ${labels}`);
  const value = alert.maybeText('valueString') ?? pairs(alert, 'values');
  if (value !== undefined) parts.push(md`values ${value}`);
  const since = moment(alert.maybeText('startsAt'));
  if (since !== undefined) parts.push(md`since ${since}`);
  parts.push(...pagesOf(alert));
  return new Markdown(parts.map((part) => md`${part}`.source).join('; '));
}

const newer = (p: Payload): Message => {
  const status = p.text('status');
  const title = p.maybeText('title') ?? p.maybeText('commonLabels.alertname') ?? status;
  return note({
    topic: p.maybeText('commonLabels.alertname') ?? title,
    line: md`${iconOf(status)}${link(title, p.maybeText('externalURL'))}: ${bold(status)}`,
    below: [bullets(p.list('alerts').map(alertLine)), quote(p.maybeText('message'))],
  });
};

export const grafana: Declaration = {
  name: 'grafana',
  title: 'Grafana',
  about: 'Alerts that fire and end, with their values.',
  subject: 'alarms',
  steps: [
    'Open Grafana, then Alerting → Contact points → Add contact point.',
    'Choose Webhook, paste the address into URL, and leave the method on POST.',
    'Press Test, save, and name the contact point in a notification policy.',
  ],
  event: {
    key: 'state or status',
    read: (p) => (p.has('alerts') ? p.text('status') : p.text('state')),
  },
  events: {
    alerting: older,
    ok: older,
    no_data: older,
    paused: older,
    pending: older,
    firing: newer,
    resolved: newer,
  },
  signature: signedBody({ header: 'x-grafana-alerting-signature' }),
};
