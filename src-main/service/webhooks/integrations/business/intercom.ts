import {
  confirmation,
  type Declaration,
  type Message,
  note,
} from '#service/webhooks/common/integration.ts';
import {
  bold,
  capital,
  enumerate,
  type Labelled,
  link,
  md,
  moment,
  quote,
  wordsOfHtml,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

const nameOf = (person: Payload): string =>
  person.maybeText('name') ?? person.maybeText('email') ?? person.text('id');

const topicOf = (person: Payload): string => `${capital(person.text('type'))}: ${nameOf(person)}`;

const details = (person: Payload): readonly Labelled[] => [
  ['Company', person.maybeText('companies.companies.0.name')],
  ['Email', person.maybeText('email')],
  ['Phone', person.maybeText('phone')],
];

const person =
  (what: string) =>
  (p: Payload): Message => {
    const item = p.object('data.item');
    return note({
      topic: topicOf(item),
      line: md`${capital(item.text('type'))} ${bold(nameOf(item))} ${what}`,
      values: details(item),
    });
  };

const tagged =
  (path: string, verb: string) =>
  (p: Payload): Message => {
    const item = p.object(`data.item.${path}`);
    return note({
      topic: topicOf(item),
      line: md`Tag ${bold(p.text('data.item.tag.name'))} was ${verb} ${item.text('type')} ${bold(nameOf(item))}`,
      values: details(item),
    });
  };

const company = (p: Payload): Message =>
  note({
    topic: 'Companies',
    line: md`Company ${bold(p.text('data.item.name'))} was created`,
    values: [
      ['Users', p.maybeNumber('data.item.user_count')],
      ['Monthly spend', p.maybeScalar('data.item.monthly_spend')],
    ],
  });

/** Newer deliveries have the number of who is assigned, and names beside it. */
function assigneeOf(item: Payload): string | undefined {
  const part = item.maybeList('conversation_parts.conversation_parts').at(-1);
  const named = part?.maybeText('assigned_to.name') ?? item.maybeText('assignee.name');
  const id = part?.maybeScalar('assigned_to.id') ?? item.maybeScalar('admin_assignee_id');
  if (named !== undefined || id === undefined || id === '0') return named;
  const admins = [...item.maybeList('teammates.admins'), ...item.maybeList('teammates.teammates')];
  const found = admins.find((admin) => admin.maybeScalar('id') === id);
  return found?.maybeText('name') ?? `number ${id}`;
}

/** Older deliveries tell of one part, newer ones of the last. */
const partOf = (p: Payload): Payload | undefined =>
  p.maybeList('data.item.conversation_parts.conversation_parts').at(-1);

const conversation =
  (what: string) =>
  (p: Payload): Message => {
    const item = p.object('data.item');
    const user = item.maybeObject('user') ?? item.object('contacts.contacts.0');
    const part = partOf(p);
    const url = item.maybeText('links.conversation_web');
    const text = part?.maybeText('body') ?? item.maybeText('conversation_message.body') ?? '';
    const tags = item.maybeList('tags_added.tags').map((tag) => tag.text('name'));
    return note({
      topic: topicOf(user),
      line: md`${bold(part?.maybeText('author.name') ?? nameOf(user))} ${what} ${link('the conversation', url)} with ${nameOf(user)}`,
      values: [
        ['State', item.maybeText('state')],
        ['Assignee', assigneeOf(item)],
        ...details(user),
        ['Priority', item.maybeText('priority')],
        ['Tags', tags.length === 0 ? undefined : enumerate(tags)],
        ['Until', moment(item.maybeNumber('snoozed_until'))],
      ],
      below: [quote(wordsOfHtml(text))],
    });
  };

const conversations: Readonly<Record<string, string>> = {
  'conversation.user.created': 'began',
  'conversation.user.replied': 'replied in',
  'conversation.admin.replied': 'replied in',
  'conversation.admin.single.created': 'began',
  'conversation.admin.assigned': 'assigned',
  'conversation.admin.noted': 'left a note in',
  'conversation.admin.closed': 'closed',
  'conversation.admin.opened': 'opened',
  'conversation.admin.snoozed': 'snoozed',
  'conversation.admin.unsnoozed': 'woke',
  'conversation.priority.updated': 'changed the priority of',
  'conversation_part.tag.created': 'tagged',
  'conversation_part.redacted': 'redacted a part of',
};

export const intercom: Declaration = {
  name: 'intercom',
  title: 'Intercom',
  about: 'Conversations, contacts and companies.',
  subject: 'business',
  steps: [
    'Open the Developer hub of Intercom and your app, then Webhooks.',
    'Paste the address into the endpoint URL and choose the topics.',
    'If you want deliveries verified, give the client secret of the app to this integration here.',
    'Save: Intercom asks here first, then begins to send.',
  ],
  event: { key: 'topic', read: (p) => p.text('topic') },
  events: {
    ...Object.fromEntries(
      Object.entries(conversations).map(([topic, what]) => [topic, conversation(what)]),
    ),
    'contact.created': person('was created'),
    'contact.lead.created': person('was created'),
    'contact.user.created': person('was created'),
    'contact.signed_up': person('signed up'),
    'contact.added_email': person('added an email address'),
    'contact.tag.created': tagged('contact', 'added to'),
    'contact.tag.deleted': tagged('contact', 'removed from'),
    'user.created': person('was created'),
    'user.deleted': person('was deleted'),
    'user.unsubscribed': person('unsubscribed'),
    'user.email.updated': person('has another email address'),
    'user.tag.created': tagged('user', 'added to'),
    'user.tag.deleted': tagged('user', 'removed from'),
    'company.created': company,
    ping: () => confirmation('Intercom', 'Intercom'),
  },
  silent: ['conversation.*', 'contact.*', 'user.*', 'visitor.*', 'event.*', 'job.*'],
  signature: signedBody({ header: 'x-hub-signature', prefix: 'sha1=', hash: 'SHA-1' }),
  answersProbes: true,
};
