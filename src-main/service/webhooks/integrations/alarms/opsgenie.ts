import { type Declaration, note } from '#service/webhooks/common/integration.ts';
import {
  bold,
  enumerate,
  link,
  md,
  quote,
  type Value,
  wordFor,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

const verbs: Readonly<Record<string, string>> = {
  Create: 'created',
  Acknowledge: 'acknowledged',
  UnAcknowledge: 'unacknowledged',
  Close: 'closed',
  Delete: 'deleted',
  AddNote: 'added a note to',
  AddRecipient: 'added a recipient to',
  AddResponder: 'added a responder to',
  AddTeam: 'added a team to',
  AddTags: 'added tags to',
  RemoveTags: 'removed tags from',
  AssignOwnership: 'assigned',
  TakeOwnership: 'took ownership of',
  Escalate: 'escalated',
  Snooze: 'snoozed',
  UpdatePriority: 'changed the priority of',
  UpdateMessage: 'changed the message of',
  UpdateDescription: 'changed the description of',
};

const textsOf = (p: Payload, path: string): readonly string[] =>
  p.maybeList(path).map((each) => each.text(''));

const changed = (now: string | undefined, before: string | undefined): Value | undefined =>
  now === undefined || before === undefined ? now : md`${now} (was ${before})`;

/** Actions of one's own have names of one's own. */
const verbOf = (action: string): string => wordFor(verbs, action) ?? `did ${action} on`;

const idOf = (p: Payload): string | undefined => p.maybeText('alert.alertId');

export const opsgenie: Declaration = {
  name: 'opsgenie',
  title: 'Opsgenie',
  about: 'Alerts and what people do about them.',
  subject: 'alarms',
  steps: [
    'Open Opsgenie, then Settings → Integrations → Add integration → Webhook.',
    'Paste the address into Webhook URL and choose the alert actions.',
    'Turn it on, save, and make an alert.',
  ],
  event: { key: 'action', read: (p) => p.text('action') },
  events: {
    '*': (p) => {
      const id = idOf(p);
      const url = id && `https://app.opsgenie.com/alert/V2#/show/${encodeURIComponent(id)}`;
      const action = p.text('action');
      const actor = p.maybeText('alert.username') ?? p.maybeText('escalationName') ?? 'Opsgenie';
      const message = p.maybeText('alert.message') ?? idOf(p) ?? 'an alert';
      const tags = textsOf(p, 'alert.tags');
      return note({
        topic: p.maybeText('integrationName') ?? 'Opsgenie',
        line: md`${bold(actor)} ${verbOf(action)} ${link(message, url)}`,
        values: [
          ['Priority', changed(p.maybeText('alert.priority'), p.maybeText('alert.oldPriority'))],
          ['Former message', p.maybeText('alert.oldMessage')],
          ['Owner', p.maybeText('alert.owner')],
          ['Recipient', p.maybeText('alert.recipient')],
          ['Escalation', p.maybeText('escalationName')],
          ['Notifies', p.maybeText('escalationNotify.name')],
          ['Added', p.maybeText('alert.addedTags')],
          ['Removed', p.maybeText('alert.removedTags')],
          ['Team', p.maybeText('alert.team')],
          ['Until', p.maybeText('alert.snoozeEndDate')],
          ['Tags', tags.length === 0 ? undefined : enumerate(tags)],
          ['Source', p.maybeText('alert.source')],
        ],
        below: [quote(p.maybeText('alert.note') ?? p.maybeText('alert.description'))],
      });
    },
  },
};
