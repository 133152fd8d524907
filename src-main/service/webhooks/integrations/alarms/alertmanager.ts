import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import {
  bold,
  bullets,
  capital,
  linkIfAny,
  md,
  separated,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

/** A label, or an annotation of that name. */
function named(alert: Payload, key: string): string | undefined {
  for (const path of ['labels', 'annotations']) {
    const all = alert.maybeObject(path)?.raw();
    const found: unknown = Object.entries(all ?? {}).find(([name]) => name === key)?.[1];
    if (typeof found === 'string') return found;
  }
  return undefined;
}

interface Group {
  readonly topic: string;
  readonly status: string;
  readonly alerts: Payload[];
}

export const alertmanager: Declaration = {
  name: 'alertmanager',
  title: 'Prometheus Alertmanager',
  about:
    'Alerts that fire and end; `name` names the label that becomes the topic, `desc` the one that describes.',
  subject: 'alarms',
  steps: [
    'Open the configuration of Alertmanager, alertmanager.yml.',
    'Add a receiver with webhook_configs and the address as url.',
    'Name it in route. Add &name=LABEL to the address for the label that becomes the topic, and &desc=ANNOTATION for the words.',
    'Reload Alertmanager.',
  ],
  events: {
    message(p, { query }): readonly Message[] {
      const name = query('name') ?? 'instance';
      const description = query('desc') ?? 'alertname';
      const groups = new Map<string, Group>();
      for (const alert of p.list('alerts')) {
        const topic = named(alert, name) ?? named(alert, 'alertname') ?? 'Alertmanager';
        const status = alert.text('status');
        const key = JSON.stringify([topic, status]);
        const group = groups.get(key) ?? { topic, status, alerts: [] };
        group.alerts.push(alert);
        groups.set(key, group);
      }
      return [...groups.values()].map(({ topic, status, alerts }) => {
        const icon = status === 'firing' ? '🚨' : '✅';
        const items = alerts.map((alert) => {
          const name = named(alert, 'alertname') ?? 'alert';
          const text = named(alert, description) ?? name;
          const more = [
            name === text || name === topic ? undefined : name,
            named(alert, 'severity'),
            linkIfAny('graph', alert.maybeText('generatorURL')),
            linkIfAny('runbook', named(alert, 'runbook_url')),
          ].filter((each) => each !== undefined);
          return more.length === 0 ? md`${text}` : md`${text} (${separated(more)})`;
        });
        const [only] = items;
        const head = bold(capital(status));
        return items.length === 1 && only !== undefined
          ? note({ topic, line: md`${icon} ${head}: ${only}` })
          : note({ topic, line: md`${icon} ${head}:`, below: [bullets(items)] });
      });
    },
  },
};
