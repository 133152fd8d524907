/** Services that watch from outside whether something answers. */
import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import {
  bold,
  link,
  linkIfAny,
  md,
  moment,
  quote,
  type Value,
  wordFor,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

function change(p: Payload): Message {
  const monitor = p.text('monitor_friendly_name');
  const named = link(monitor, p.maybeText('monitor_url'));
  const isUp = p.text('alert_type_friendly_name').toLowerCase() === 'up';
  const line = isUp
    ? md`✅ ${bold(named)} is back after ${p.maybeText('alert_friendly_duration') ?? 'a while'}`
    : md`❌ ${bold(named)} is down: ${p.text('alert_details')}`;
  return note({ topic: monitor, line, values: [['Address', p.maybeText('monitor_url')]] });
}

export const uptimerobot: Declaration = {
  name: 'uptimerobot',
  title: 'UptimeRobot',
  about: 'Monitors that go down and come back.',
  subject: 'alarms',
  steps: [
    'Open UptimeRobot, then Integrations → Webhook → Add.',
    'Paste the address into the URL, followed by a question mark if it asks for one, and choose to send as JSON.',
    'Save, and name the integration in the monitors.',
  ],
  body: 'form',
  event: { key: 'alert_type_friendly_name', read: (p) => p.text('alert_type_friendly_name') },
  events: { Down: change, Up: change },
};

const check = (p: Payload): Message => {
  const name = p.text('check_name');
  const id = p.maybeScalar('check_id');
  const url =
    id === undefined
      ? undefined
      : `https://my.pingdom.com/reports/responsetime#check=${encodeURIComponent(id)}`;
  const state = p.text('current_state');
  const icon = state === 'UP' ? '✅' : '❌';
  return note({
    topic: name,
    line: md`${icon} ${link(name, url)} is ${bold(state)} (was ${p.text('previous_state')})`,
    values: [
      ['Host', p.maybeText('check_params.hostname')],
      ['Port', p.maybeScalar('check_params.port')],
      ['Type', p.maybeText('check_type')],
      ['Seen from', p.maybeText('first_probe.location')],
      ['Description', p.maybeText('long_description') ?? p.maybeText('description')],
    ],
  });
};

export const pingdom: Declaration = {
  name: 'pingdom',
  title: 'Pingdom',
  about: 'Checks whose state changes.',
  subject: 'alarms',
  steps: [
    'Open Pingdom, then Integrations → Add integration.',
    'Choose Webhook, give it a name and paste the address into URL.',
    'Name the integration in the checks.',
  ],
  events: { message: check },
};

/** In milliseconds; what cannot be a time is shown as it came. */
function time(value: string | undefined): Value | undefined {
  if (value === undefined || !/^\d{1,18}$/.test(value)) return value;
  const seconds = Number(value) / 1000;
  return seconds < 253_402_300_800 ? moment(seconds) : value;
}

const states: Readonly<Record<string, string>> = {
  open: 'opened',
  activated: 'opened',
  created: 'opened',
  acknowledged: 'acknowledged',
  closed: 'closed',
};

/** Newer deliveries name some things otherwise. */
const isNewer = (p: Payload): boolean => p.has('alertPolicyNames') || p.has('issueUrl');

const stateOf = (p: Payload): string =>
  p.text(isNewer(p) ? 'state' : 'current_state').toLowerCase();

const incident = (p: Payload): Message => {
  const policy = isNewer(p) ? p.text('alertPolicyNames.0') : p.text('policy_name');
  const url = p.maybeText('issueUrl') ?? p.maybeText('incident_url');
  const id = p.maybeScalar('incident_id') ?? p.maybeScalar('id') ?? '';
  const state = stateOf(p);
  const owner = p.maybeText('owner');
  const condition = p.maybeText('condition_name') ?? p.maybeText('conditionName.0') ?? policy;
  return note({
    topic: policy,
    line: md`${state === 'closed' ? '✅' : '🚨'} Incident ${link(`#${id}`, url)} of ${bold(condition)} was ${wordFor(states, state) ?? state}`,
    values: [
      ['By', owner],
      ['Time', time(p.maybeScalar('timestamp') ?? p.maybeScalar('createdAt'))],
      ['Acknowledge', linkIfAny('acknowledge', p.maybeText('incident_acknowledge_url'))],
    ],
    below: [quote(p.maybeText('details') ?? p.maybeText('title'))],
  });
};

export const newrelic: Declaration = {
  name: 'newrelic',
  title: 'New Relic',
  about: 'Incidents that open, are acknowledged and close.',
  subject: 'alarms',
  steps: [
    'Open New Relic, then Alerts → Destinations → Webhook, and paste the address into the endpoint URL.',
    'Make a workflow, choose which issues it is for, and name the destination.',
    'Send a test notification.',
  ],
  event: { key: 'current_state or state', read: stateOf },
  events: {
    open: incident,
    activated: incident,
    created: incident,
    acknowledged: incident,
    closed: incident,
  },
};
