import { type Own, own, rowsOf } from './own.ts';

const event = {
  title: 'Oops',
  level: 'fatal',
  platform: 'node',
  culprit: 'main.js',
  web_url: 'https://s.test/1',
  url: 'https://s.test/api/0/projects/org/site/events/1/',
  timestamp: 1600000000.5,
  exception: {
    values: [
      {
        stacktrace: {
          frames: [
            { filename: 'a.js', lineno: 1 },
            { filename: 'b.js', lineno: 2, function: 'run', context_line: 'throw x' },
          ],
        },
      },
    ],
  },
};
const sentryIssue = {
  title: 'Oops',
  shortId: 'SITE-1',
  level: 'error',
  project: { name: 'Site' },
  status: 'resolved',
  assignedTo: { name: 'Bob' },
};

const older = (state: string): Own =>
  own(
    'grafana',
    {
      state,
      ruleName: 'Heat',
      ruleUrl: 'https://g.test/1',
      title: '[X] Heat',
      evalMatches: [{ metric: 'cpu', value: 91.5 }],
      message: 'Too hot',
      imageUrl: 'https://g.test/i',
    },
    'Heat',
    `Heat: ${state.replace('_', ' ')}`,
    'cpu: 91.5',
    'Too hot',
  );
const newer = (status: string): Own =>
  own(
    'grafana',
    {
      status,
      title: 'Heat 1',
      commonLabels: { alertname: 'Heat' },
      alerts: [
        {
          status,
          labels: { alertname: 'Heat', room: 'r1' },
          annotations: {
            summary: 'Too hot',
            description: 'Open a window',
            runbook_url: 'https://g.test/r',
          },
          dashboardURL: 'https://g.test/d',
          panelURL: 'https://g.test/p',
          startsAt: '2030-01-02T03:04:05Z',
          values: { A: 91 },
        },
      ],
    },
    'Heat',
    `Heat 1: ${status}`,
    'Too hot',
    'Open a window',
    'https://g.test/r',
    'https://g.test/d',
    'https://g.test/p',
    'room = r1',
    'A = 91',
  );

const alert = (instance: string, status: string): object => ({
  status,
  labels: { instance, alertname: 'Heat', severity: 'bad' },
  annotations: { runbook_url: 'https://p.test/r' },
  generatorURL: 'https://p.test/g',
});

const relic = {
  policy_name: 'Pages',
  condition_name: 'Slow',
  incident_id: 7,
  incident_url: 'https://n.test/7',
  details: 'Slow page',
  timestamp: 1600000000000,
  owner: 'Ann',
};
const newRelic = (state: string): object => ({
  alertPolicyNames: ['Pages'],
  condition_name: 'Slow',
  id: 7,
  issueUrl: 'https://n.test/7',
  state,
});

const duty = (event_type: string): object => ({
  event: {
    event_type,
    agent: { summary: 'Bob' },
    data: {
      title: 'Fire',
      number: 9,
      html_url: 'https://p.test/9',
      service: { summary: 'Web' },
      assignees: [{ summary: 'Ann' }],
      urgency: 'high',
    },
  },
});
const genie = (action: string, more: object = {}): object => ({
  action,
  integrationName: 'Ops',
  alert: {
    alertId: 'a1',
    message: 'Fire',
    username: 'ann',
    tags: ['hot'],
    priority: 'P1',
    note: 'Look here',
    ...more,
  },
});
const bar = (event_name: string): object => ({
  event_name,
  data: {
    item: {
      counter: 3,
      title: 'Oops',
      level: 40,
      environment: 'live',
      total_occurrences: 2,
      last_occurrence_timestamp: 1600000000,
    },
  },
});
const barRows = (
  [
    ['new_item', 'is new'],
    ['occurrence', 'occurred'],
    ['exp_repeat_item', 'occurred again'],
    ['item_velocity', 'occurs often'],
    ['reactivated_item', 'was reactivated'],
    ['resolved_item', 'was resolved'],
    ['reopened_item', 'was reopened'],
  ] as const
).map(([name, what]) =>
  own(
    'rollbar',
    bar(name),
    '#3 Oops',
    `#3 Oops ${what}`,
    'Level: error',
    'Environment: live',
    'Occurred: 2 times',
  ),
);

export const alarmPayloads: readonly Own[] = [
  ...rowsOf('sentry', [
    [
      'event_alert',
      { data: { event, triggered_rule: 'All' } },
      'Oops',
      'Fatal: Oops',
      'Project: site',
      'Culprit: main.js',
      'Rule: All',
      'b.js, line 2, in run',
      'throw x',
    ],
    [
      'issue',
      { action: 'assigned', actor: { name: 'Ann' }, data: { issue: sentryIssue } },
      'Oops',
      'Ann assigned issue SITE-1 Oops',
      'Level: error',
      'Project: Site',
      'Assignee: Bob',
    ],
    [
      'metric_alert',
      {
        action: 'critical',
        data: {
          metric_alert: { title: 'Many errors' },
          web_url: 'https://s.test/m',
          description_text: '100 in a minute',
        },
      },
      'Many errors',
      'Metric alert Many errors: critical',
      '100 in a minute',
    ],
    ['error', { data: { error: event } }, 'Oops', 'Fatal: Oops'],
    ['installation', {}, null],
  ]),
  own(
    'sentry',
    { event, project_name: 'site', url: 'https://s.test/1', triggering_rules: ['All'] },
    'Oops',
    'Project: site',
    'Rule: All',
  ),
  ...['alerting', 'ok', 'no_data', 'paused', 'pending'].map(older),
  ...['firing', 'resolved'].map(newer),
  own(
    'alertmanager',
    { alerts: [alert('a', 'firing'), alert('b', 'firing'), alert('a', 'firing')] },
    'a',
    'Firing:',
    'Heat (bad, graph, runbook)',
  ),
  {
    ...own(
      'alertmanager',
      { alerts: [{ status: 'resolved', labels: { room: 'r1' }, annotations: { text: 'Cool' } }] },
      'r1',
      'Resolved: Cool',
    ),
    query: { name: 'room', desc: 'text' },
  },
  own(
    'uptimerobot',
    {
      monitor_friendly_name: 'Site',
      monitor_url: 'https://x.test',
      alert_type_friendly_name: 'Down',
      alert_details: 'Timeout',
    },
    'Site',
    'Site is down: Timeout',
  ),
  own(
    'uptimerobot',
    {
      monitor_friendly_name: 'Site',
      alert_type_friendly_name: 'Up',
      alert_friendly_duration: '5 min',
    },
    'Site',
    'Site is back after 5 min',
  ),
  own(
    'pingdom',
    {
      check_name: 'Mail',
      check_id: 3,
      previous_state: 'UP',
      current_state: 'DOWN',
      long_description: 'Refused',
      check_params: { hostname: 'm.test' },
    },
    'Mail',
    'Mail is DOWN (was UP)',
    'Refused',
    'm.test',
  ),
  own(
    'newrelic',
    { ...relic, current_state: 'open' },
    'Pages',
    'Incident #7 of Slow was opened',
    'Slow page',
    'By: Ann',
  ),
  own('newrelic', { ...relic, current_state: 'acknowledged' }, 'Pages', 'acknowledged'),
  own('newrelic', { ...relic, current_state: 'closed' }, 'Pages', 'closed'),
  own('newrelic', newRelic('activated'), 'Pages', 'Incident #7 of Slow was opened'),
  own('newrelic', newRelic('created'), 'Pages', 'opened'),
  own(
    'pagerduty',
    duty('incident.triggered'),
    'Incident Fire (#9)',
    'Incident Fire (#9) triggered, assigned to Ann',
    'Service: Web',
    'By: Bob',
    'Urgency: high',
  ),
  own('pagerduty', duty('incident.reassigned'), 'Incident Fire (#9)', 'reassigned'),
  own(
    'pagerduty',
    {
      messages: [
        {
          event: 'incident.resolve',
          incident: { incident_number: 7, title: 'Fire', service: { name: 'Web' } },
        },
      ],
    },
    'Incident 7',
    'Incident 7 resolved',
    'Title: Fire',
  ),
  own(
    'pagerduty',
    {
      messages: [
        {
          type: 'incident.acknowledge',
          data: { incident: { incident_number: 7, trigger_summary_data: { subject: 'Fire' } } },
        },
      ],
    },
    'Incident 7',
    'acknowledged',
    'Title: Fire',
  ),
  own(
    'opsgenie',
    genie('Create'),
    'Ops',
    'ann created Fire',
    'Priority: P1',
    'Tags: hot',
    'Look here',
  ),
  own('opsgenie', genie('Snooze'), 'Ops', 'ann snoozed Fire'),
  own(
    'opsgenie',
    { action: 'UpdatePriority', alert: { message: 'Fire', priority: 'P2', oldPriority: 'P1' } },
    'Opsgenie',
    'Opsgenie changed the priority of Fire',
    'Priority: P2 (was P1)',
  ),
  own(
    'opsgenie',
    { action: 'RemoveTags', alert: { message: 'Fire', removedTags: 'hot,wet' } },
    'Opsgenie',
    'Removed: hot,wet',
  ),
  ...barRows,
  own(
    'rollbar',
    {
      event_name: 'deploy',
      data: { deploy: { environment: 'live', revision: 'abc', local_username: 'ann' } },
    },
    'deploys',
    'ann deployed abc to live',
  ),
  own(
    'statuspage',
    {
      page: { status_description: 'Minor' },
      incident: {
        name: 'Slow',
        status: 'investigating',
        impact: 'minor',
        incident_updates: [{ body: 'We look' }],
      },
    },
    'Slow: investigating',
    'Incident Slow is investigating',
    'Impact: minor',
    'We look',
  ),
  own(
    'statuspage',
    {
      component: { name: 'Web' },
      component_update: { old_status: 'operational', new_status: 'major_outage' },
    },
    'Web: major outage',
    'Web changed from operational to major outage',
  ),
];
