import {
  type Declaration,
  type Message,
  note,
  unknownEvent,
  type Write,
} from '#service/webhooks/common/integration.ts';
import {
  bold,
  capital,
  type Labelled,
  link,
  md,
  quote,
  wordFor,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

const verbs = { create: 'created', update: 'updated', remove: 'deleted', restore: 'restored' };

function verbOf(p: Payload): string {
  const action = p.text('action');
  const verb = wordFor(verbs, action);
  if (verb === undefined) throw unknownEvent('linear', `${p.text('type')} ${action}`);
  return verb;
}

/** Older deliveries do not say who it was. */
const actorOf = (p: Payload): string | undefined =>
  p.maybeText('actor.name') ?? p.maybeText('data.user.name') ?? p.maybeText('data.creator.name');

/** `WEB-43`; older deliveries have only its parts. */
const identifierOf = (p: Payload): string =>
  p.maybeText('data.identifier') ?? `${p.text('data.team.key')}-${p.scalar('data.number')}`;

const assignee = (p: Payload): Labelled => ['Assignee', p.maybeText('data.assignee.name')];

const issue = (p: Payload): Message => {
  const verb = verbOf(p);
  const actor = actorOf(p);
  const title = p.text('data.title');
  const kind = p.has('data.parentId') ? 'sub-issue' : 'issue';
  const named = link(md`${identifierOf(p)} ${title}`, p.maybeText('url'));
  const hasText = verb === 'created' || p.has('updatedFrom.description');
  return note({
    topic: title,
    line:
      actor === undefined
        ? md`${capital(kind)} ${named} was ${verb}`
        : md`${bold(actor)} ${verb} ${kind} ${named}`,
    values: [
      ['Former title', p.maybeText('updatedFrom.title')],
      ['State', p.maybeText('data.state.name')],
      ['Priority', p.maybeText('data.priorityLabel')],
      assignee(p),
      ['Team', p.maybeText('data.team.name')],
      ['Due', p.maybeText('data.dueDate')],
    ],
    below: [quote(hasText ? p.maybeText('data.description') : undefined)],
  });
};

const commentVerbs = {
  created: 'commented on',
  updated: 'edited a comment on',
  deleted: 'deleted a comment on',
  restored: 'restored a comment on',
};

const comment: Write = (p) => {
  const title = p.text('data.issue.title');
  const verb = wordFor(commentVerbs, verbOf(p)) ?? '';
  return note({
    topic: title,
    line: md`${bold(actorOf(p) ?? 'Somebody')} ${verb} ${link(title, p.maybeText('url'))}`,
    below: [quote(p.text('data.body'))],
  });
};

const project: Write = (p) => {
  const name = p.text('data.name');
  const actor = actorOf(p);
  const named = md`project ${link(name, p.maybeText('url'))}`;
  return note({
    topic: name,
    line:
      actor === undefined
        ? md`${named} was ${verbOf(p)}`
        : md`${bold(actor)} ${verbOf(p)} ${named}`,
    values: [
      ['State', p.maybeText('data.state')],
      ['Target', p.maybeText('data.targetDate')],
      ['Lead', p.maybeText('data.lead.name')],
    ],
    below: [quote(p.maybeText('data.description'))],
  });
};

export const linear: Declaration = {
  name: 'linear',
  title: 'Linear',
  about: 'Issues, comments and projects that are created, changed or deleted.',
  subject: 'tickets',
  steps: [
    'Open Linear, then Settings → API → Webhooks → New webhook.',
    'Paste the address into URL, choose the resources and the team.',
    'If you want deliveries verified, give the signing secret that Linear shows to this integration here.',
    'Create the webhook and change an issue.',
  ],
  event: { key: 'type', read: (p) => p.text('type') },
  events: { Issue: issue, Comment: comment, Project: project },
  silent: ['Cycle', 'IssueLabel', 'Reaction', 'ProjectUpdate', 'Attachment', 'IssueSLA', 'User'],
  signature: signedBody({ header: 'linear-signature' }),
};
