import * as forge from '#service/webhooks/common/forge.ts';
import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import {
  bold,
  capital,
  type Labelled,
  link,
  Markdown,
  md,
  quote,
  words,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

/** The page of an issue: payloads have the address of the API only. */
function urlOf(p: Payload): string | undefined {
  const base = p.maybeText('issue.self')?.split('/rest/', 1)[0];
  return base === undefined ? undefined : `${base}/browse/${forge.refInUrl(p.text('issue.key'))}`;
}

/** A comment may come without its issue. */
const topicOf = (p: Payload): string =>
  p.has('issue.key') ? `${p.text('issue.key')}: ${p.text('issue.fields.summary')}` : 'Jira';

const issueLink = (p: Payload) =>
  p.has('issue.key')
    ? md`${link(p.text('issue.key'), urlOf(p))} ${p.text('issue.fields.summary')}`
    : new Markdown('an issue');

/** Later versions send documents in place of texts. */
const textAt = (p: Payload, path: string): string | undefined =>
  typeof p.raw(path) === 'object' ? wordsOf(p.object(path), 0) : p.maybeText(path);

function wordsOf(node: Payload, depth: number): string {
  const text = node.maybeText('text') ?? node.maybeText('attrs.text') ?? '';
  if (depth > 10) return text;
  const inner = node.maybeList('content').map((child) => wordsOf(child, depth + 1));
  return (
    text + inner.join(['doc', 'bulletList', 'orderedList'].includes(node.text('type')) ? '\n' : '')
  );
}

/** Older servers have names alone, and newer ones hide them from some. */
const personAt = (p: Payload, path: string): string | undefined =>
  p.maybeText(`${path}.displayName`) ?? p.maybeText(`${path}.name`);

const actorOf = (p: Payload): string =>
  personAt(p, 'user') ?? personAt(p, 'comment.author') ?? 'Somebody';

/** What an issue is at the moment. */
const state = (p: Payload): readonly Labelled[] => [
  ['Type', p.maybeText('issue.fields.issuetype.name')],
  ['Status', p.maybeText('issue.fields.status.name')],
  ['Priority', p.maybeText('issue.fields.priority.name')],
  [
    'Assignee',
    personAt(p, 'issue.fields.assignee') ?? (p.has('issue.fields') ? 'nobody' : undefined),
  ],
];

/** The same without what a change tells already. */
const rest = (p: Payload, told: readonly Labelled[]): readonly Labelled[] =>
  state(p).filter(([label]) => !told.some(([each]) => each === label));

const created = (p: Payload): Message =>
  note({
    topic: topicOf(p),
    line: md`${bold(actorOf(p))} created ${issueLink(p)}`,
    values: [
      ...state(p),
      forge.several(
        'Label',
        p.maybeList('issue.fields.labels').map((label) => label.text('')),
      ),
    ],
    below: [quote(textAt(p, 'issue.fields.description'))],
  });

const deleted = (p: Payload): Message =>
  note({
    topic: topicOf(p),
    line: md`${bold(actorOf(p))} deleted ${issueLink(p)}`,
    values: state(p),
  });

const changes = (p: Payload): readonly Labelled[] =>
  p.maybeList('changelog.items').map((item) => {
    const before = item.maybeText('fromString');
    const after = item.maybeText('toString') ?? 'none';
    const value = before === undefined ? after : md`${after} (was ${before})`;
    return [capital(words(item.text('field'))), value];
  });

const comment =
  (verb: string) =>
  (p: Payload): Message =>
    note({
      topic: topicOf(p),
      line: md`${bold(personAt(p, 'comment.author') ?? actorOf(p))} ${verb} ${issueLink(p)}`,
      values: state(p),
      below: [quote(textAt(p, 'comment.body') ?? '')],
    });

/** Older servers tell of comments as of updates. */
function updated(p: Payload): Message {
  const changed = changes(p);
  if (p.has('comment') && changed.length === 0) return comment('commented on')(p);
  return note({
    topic: topicOf(p),
    line: md`${bold(actorOf(p))} updated ${issueLink(p)}`,
    values: [...changed, ...rest(p, changed)],
    below: [quote(p.has('comment') ? textAt(p, 'comment.body') : undefined)],
  });
}

export const jira: Declaration = {
  name: 'jira',
  title: 'Jira',
  about: 'Issues that are created, changed, commented on or deleted.',
  subject: 'tickets',
  steps: [
    'Open Jira as an administrator, then System → WebHooks → Create a WebHook.',
    'Paste the address into URL, set it to enabled, and choose the events.',
    'If you set a secret here, enter the same one into Secret.',
    'Create it and change an issue.',
  ],
  event: { key: 'webhookEvent', read: (p) => p.text('webhookEvent') },
  events: {
    'jira:issue_created': created,
    'jira:issue_updated': updated,
    'jira:issue_deleted': deleted,
    comment_created: comment('commented on'),
    comment_updated: comment('edited a comment on'),
    comment_deleted: comment('deleted a comment on'),
  },
  silent: [
    'jira:version_*',
    'jira:worklog_*',
    'attachment_*',
    'board_*',
    'project_*',
    'worklog_*',
    'issuelink_*',
    'issue_property_*',
    'sprint_*',
    'user_*',
  ],
  signature: signedBody({ header: 'x-hub-signature', prefix: 'sha256=' }),
};
