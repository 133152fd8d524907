import type { FactTable } from './facts.ts';

const sentryUrl = 'data.event.web_url';
const policy = 'Test policy name';

export const alarmFacts: FactTable = {
  'sentry/event_for_exception_node.json': {
    topic: 'Error: Sample error from node.',
    says: ['Error', 'node', 'null.<anonymous>(trigger-exception)', 'Send a webhook payload'],
    of: ['data.event.title'],
    links: [sentryUrl],
  },
  'sentry/event_for_exception_python.json': {
    topic: 'Exception: Custom exception!',
    says: [
      'Error',
      'python',
      '__main__ in <module>',
      'trigger-exception.py',
      'raise Exception("Custom exception!")',
    ],
    links: [sentryUrl],
  },
  'sentry/webhook_event_for_exception_python.json': {
    topic: 'ValueError: new sentry error.',
    says: ['Error', 'live', '__main__ in <module>', 'raise ValueError("new sentry error.")'],
    links: ['url'],
  },
  'sentry/event_for_exception_js.json': {
    topic: 'Error: Something external broke.',
    says: ['Error', 'javascript', 'external.js', 'line 4'],
    links: [sentryUrl],
  },
  'sentry/event_for_message_node.json': {
    topic: 'Test event from node.',
    says: ['Info', 'node'],
    links: [sentryUrl],
  },
  'sentry/event_for_message_python.json': {
    topic: 'A simple message-based issue.',
    says: ['Info', 'python'],
    links: [sentryUrl],
  },
  'sentry/issue_created_for_message.json': {
    topic: 'A simple message-based issue.',
    says: ['created', 'ZULIP-INTEGRATION-TESTING-3', 'info', 'Zulip Integration Testing'],
  },
  'sentry/issue_resolved.json': {
    topic: 'Exception: program has entered an invalid state.',
    says: ['Hemanth V. Alluri resolved', 'error', '__main__ in <module>'],
  },
  'grafana/no_message_alert.json': {
    topic: 'No Message alert',
    says: ['alerting', 'A-series', '21.573108436586445', '[Alerting] No Message alert'],
    links: ['ruleUrl'],
  },
  'grafana/alert_paused.json': {
    topic: 'Test rule',
    says: ['paused'],
    of: ['message', 'title'],
    links: ['ruleUrl'],
  },
  'grafana/alert_new.json': {
    topic: 'TestAlert',
    says: ['resolved', 'Notification test', 'Webhook test message.', 'Grafana', "metric='foo'"],
    links: ['externalURL', 'alerts.0.silenceURL'],
  },
  'alertmanager/alert.json': {
    topic: ['andromeda'],
    says: ['Firing', 'CPU core temperature is 34.75C', 'CPU core temperature is 17.625C'],
  },
  'uptimerobot/uptimerobot_monitor_down.json': {
    topic: 'Web Server',
    says: ['Web Server is down', 'Host Is Unreachable', 'server1.example.com'],
  },
  'newrelic/incident_opened_old.json': {
    topic: policy,
    says: ['Server Down', 'opened', 'Violation description test.'],
    links: ['incident_url'],
  },
  'newrelic/incident_acknowledged_new.json': {
    topic: policy,
    says: ['acknowledged', 'Alice'],
  },
  'newrelic/incident_missing_current_state_old.json': {
    refused: 'BAD_REQUEST',
    names: 'current_state',
  },
  'newrelic/incident_missing_state_new.json': { refused: 'BAD_REQUEST', names: 'state' },
  'newrelic/incident_malformatted_time_old.json': { says: ['1969-12-31 23:59:55'] },
  'newrelic/incident_time_too_large_old.json': { says: ['160513393115100000'] },
  'newrelic/incident_missing_timestamp_new.json': { topic: policy },
  'newrelic/incident_malformatted_time_new.json': { says: ['1969-12-31 23:59:55'] },
  'pingdom/smtp_up_to_down.json': {
    topic: 'SMTP check',
    says: ['DOWN', 'UP', 'Connection refused', 'smtp.someurl.com'],
    links: ['https://my.pingdom.com/reports/responsetime#check=2051844'],
  },
  'pingdom/imap_down_to_up.json': {
    topic: 'IMAP check',
    says: ['UP', 'DOWN', 'imap.someurl.com'],
  },
  'pagerduty/triggered_v3.json': {
    topic: 'Incident Test Incident 3 (#9)',
    says: ['Incident Test Incident 3 (#9) triggered', 'pig208', 'PIG 208', 'high'],
    links: ['event.data.html_url', 'event.data.service.html_url'],
  },
  'pagerduty/unacknowledge.json': {
    topic: 'Incident 3',
    says: ['Incident 3', 'unacknowledged', 'Test service', 'Jason MIchalski', 'foo'],
    links: ['messages.0.data.incident.html_url'],
  },
  'pagerduty/resolved.json': {
    topic: 'Incident 1',
    says: ['resolved', 'Jason MIchalski', 'It is on fire'],
    links: ['messages.0.data.incident.html_url'],
  },
  'pagerduty/acknowledge_without_trigger_summary_data.json': {
    topic: ['Incident 1', 'Incident 1'],
    says: ['assigned', 'acknowledged', 'Jason MIchalski', 'Armooo2'],
    links: ['messages.0.data.incident.html_url'],
  },
  'pagerduty/acknowledge_v2.json': {
    topic: 'Incident 33',
    says: ['My new incident', 'acknowledged', 'Laura Haley', 'Production XDB Cluster'],
    links: ['messages.0.incident.html_url'],
  },
  'pagerduty/mp_fail.json': {
    topic: 'Incident 48219',
    says: ['resolved', 'MP API', 'mp_error_block_down_critical'],
    links: ['messages.0.data.incident.html_url'],
  },
  'pagerduty/unsupported_v2.json': { refused: 'UNEXPECTED_WEBHOOK_EVENT_TYPE' },
  'pagerduty/unsupported_v3.json': { refused: 'UNEXPECTED_WEBHOOK_EVENT_TYPE' },
  'opsgenie/acknowledge.json': {
    topic: 'Integration1',
    says: ['fili@ifountain.com acknowledged', 'test alert', 'tag1', 'tag2'],
    links: ['https://app.opsgenie.com/alert/V2#/show/052652ac-5d1c-464a-812a-7dd18bbfba8c'],
  },
  'opsgenie/addnote.json': { says: ['added a note to'], of: ['alert.note', 'alert.message'] },
  'opsgenie/close.json': { says: ['closed', 'test alert'] },
  'opsgenie/customaction.json': { says: ['TestAction', 'test alert'] },
  'opsgenie/escalate.json': {
    topic: 'Webhook_Test',
    says: ['escalated', 'test_esc', 'test@ifountain.com'],
  },
  'opsgenie/takeownership.json': { topic: 'Webhook', says: ['took ownership of', 'message test'] },
  'rollbar/event_occurred_10_exp_n_items.json': {
    topic: '#7 An Error',
    says: ['10', 'error', 'production', 'DESKTOP-6LMFI2P'],
  },
  'rollbar/every_occurrence.json': {
    topic: '#10 new again again',
    says: ['occurred', 'error', 'production'],
  },
  'rollbar/reactivated_item.json': {
    topic: '#3 All set.',
    says: ['reactivated', 'production', '#3 All set.'],
  },
  'statuspage/component_status_update.json': {
    topic: 'Database component: under maintenance',
    says: ['Database component', 'operational', 'under maintenance', 'Service Under Maintenance'],
  },
};
