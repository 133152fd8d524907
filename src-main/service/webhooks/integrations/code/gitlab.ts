import * as forge from '#service/webhooks/common/forge.ts';
import {
  type Declaration,
  type Message,
  note,
  type Outcome,
  type Write,
} from '#service/webhooks/common/integration.ts';
import {
  bold,
  bullets,
  code,
  type Labelled,
  link,
  md,
  wordFor,
  words,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { sharedToken } from '#service/webhooks/common/signatures.ts';

const repoOf = (p: Payload): string => p.maybeText('project.name') ?? p.text('repository.name');
const homeOf = (p: Payload): string | undefined =>
  p.maybeText('project.web_url') ?? p.maybeText('repository.homepage');
const actorOf = (p: Payload): string => p.maybeText('user.name') ?? p.text('user_name');
const pageOf = (p: Payload, path: string): string | undefined => {
  const home = homeOf(p);
  return home === undefined ? undefined : `${home}/-/${path}`;
};

function push(p: Payload): Message {
  const { name } = forge.refOf(p.text('ref'));
  const before = p.text('before');
  const after = p.text('after');
  const kind = forge.isNothing(after) ? 'removed' : forge.isNothing(before) ? 'created' : 'pushed';
  return forge.pushNote({
    repo: repoOf(p),
    actor: actorOf(p),
    branch: name,
    branchUrl: pageOf(p, `tree/${forge.refInUrl(name)}`),
    compareUrl: kind === 'pushed' ? pageOf(p, `compare/${before}...${after}`) : undefined,
    commits: p.maybeList('commits').map((commit) => ({
      id: commit.text('id'),
      message: commit.text('message'),
      url: commit.maybeText('url'),
      author: commit.maybeText('author.name'),
    })),
    total: p.maybeNumber('total_commits_count'),
    kind,
  });
}

function tagPush(p: Payload): Message {
  const { name } = forge.refOf(p.text('ref'));
  const isRemoved = forge.isNothing(p.text('after'));
  return forge.tagNote({
    repo: repoOf(p),
    actor: actorOf(p),
    tag: name,
    url: pageOf(p, `tags/${forge.refInUrl(name)}`),
    isRemoved,
  });
}

const verbs: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  unapproved: 'withdrew the approval of',
  approval: 'approved',
  unapproval: 'withdrew the approval of',
};

/** Older servers tell no action of what is new. */
const verbOf = (p: Payload): string => {
  const action = p.maybeText('object_attributes.action') ?? 'open';
  return wordFor(verbs, action) ?? words(action);
};

const namesOf = (p: Payload, path: string): readonly string[] =>
  p.maybeList(path).map((user) => user.text('name'));

const assignees = (p: Payload): Labelled => {
  const all = namesOf(p, 'assignees');
  const one = all.length === 0 ? p.maybeText('assignee.name') : undefined;
  return forge.several('Assignee', one === undefined ? all : [one]);
};

const labels = (p: Payload): Labelled =>
  forge.several(
    'Label',
    p.maybeList('labels').map((label) => label.text('title')),
  );

/** What was among the labels or assignees before, and is not now. */
function takenAway(
  p: Payload,
  what: 'labels' | 'assignees',
  name: 'title' | 'name',
): readonly string[] {
  const namesAt = (at: 'previous' | 'current'): readonly string[] =>
    p.maybeList(`changes.${what}.${at}`).map((each) => each.text(name));
  const current = namesAt('current');
  return namesAt('previous').filter((each) => !current.includes(each));
}

const changed = (p: Payload): readonly Labelled[] => [
  ['Former title', p.maybeText('changes.title.previous')],
  assignees(p),
  forge.several('No longer assigned', takenAway(p, 'assignees', 'name')),
  labels(p),
  ['Labels taken away', forge.several('', takenAway(p, 'labels', 'title'))[1]],
];

/** The number, the title and the address of what an event is about. */
const itemOf = (p: Payload, path: string, kind: string): forge.Item => ({
  repo: repoOf(p),
  kind,
  number: p.scalar(`${path}.iid`),
  title: p.text(`${path}.title`),
  url: p.maybeText(`${path}.url`),
});

const isNewText = (p: Payload): boolean =>
  verbOf(p) === 'opened' || p.has('changes.description.current');

const confidential = (p: Payload): string =>
  p.flag('object_attributes.confidential') || p.maybeText('event_type') === 'confidential_issue'
    ? 'confidential issue'
    : 'issue';

const issue = (p: Payload): Message =>
  forge.itemNote(itemOf(p, 'object_attributes', confidential(p)), {
    actor: actorOf(p),
    verb: verbOf(p),
    values: [...changed(p), ['Due', p.maybeText('object_attributes.due_date')]],
    body: isNewText(p) ? p.maybeText('object_attributes.description') : undefined,
  });

const mergeRequest = (p: Payload): Message =>
  forge.itemNote(itemOf(p, 'object_attributes', 'MR'), {
    actor: actorOf(p),
    verb: verbOf(p),
    values: [
      forge.branches(
        p.text('object_attributes.source_branch'),
        p.text('object_attributes.target_branch'),
      ),
      ...changed(p),
      forge.several('Reviewer', namesOf(p, 'reviewers')),
    ],
    body: isNewText(p) ? p.maybeText('object_attributes.description') : undefined,
  });

function noteHook(p: Payload): Message {
  const comment: forge.Comment = {
    actor: actorOf(p),
    action: p.maybeText('object_attributes.action') === 'update' ? 'edited' : 'created',
    url: p.maybeText('object_attributes.url'),
    text: p.text('object_attributes.note'),
  };
  const kind = p.text('object_attributes.noteable_type');
  if (kind === 'Issue') return forge.commentNote(itemOf(p, 'issue', 'issue'), comment);
  if (kind === 'MergeRequest') return forge.commentNote(itemOf(p, 'merge_request', 'MR'), comment);
  if (kind === 'Commit') {
    const commit = forge.commitLink(p.text('commit.id'), p.maybeText('commit.url'));
    return forge.commentOn(repoOf(p), md`commit ${commit}`, comment);
  }
  const title = p.maybeText('snippet.title') ?? kind;
  return forge.commentOn(repoOf(p), md`${words(kind).toLowerCase()} ${bold(title)}`, comment);
}

const seconds = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${Math.round(value)} s`;

const pipeline = (p: Payload): Message => {
  const id = p.scalar('object_attributes.id');
  const ref = p.text('object_attributes.ref');
  const commit = p.maybeText('commit.message')?.split('\n', 1)[0];
  return forge.buildNote({
    topic: `${repoOf(p)} / ${ref}`,
    name: `Pipeline #${id}`,
    url: pageOf(p, `pipelines/${id}`),
    status: words(p.text('object_attributes.status')),
    branch: ref,
    values: [
      ['By', p.maybeText('user.name')],
      ['Commit', commit === undefined ? undefined : link(commit, p.maybeText('commit.url'))],
      ['Took', seconds(p.maybeNumber('object_attributes.duration'))],
    ],
    below: [
      bullets(
        p.maybeList('builds').map((build) => {
          const job = link(build.text('name'), pageOf(p, `jobs/${build.scalar('id')}`));
          return md`${job} (${build.text('stage')}): ${words(build.text('status'))}`;
        }),
      ),
    ],
  });
};

const reasonOf = (p: Payload): string => words(p.maybeText('build_failure_reason') ?? '');

const job = (p: Payload): Message => {
  const ref = p.text('ref');
  const home = homeOf(p);
  return forge.buildNote({
    topic: `${p.maybeText('repository.name') ?? repoOf(p)} / ${ref}`,
    name: `Job ${p.text('build_name')}`,
    url: pageOf(p, `jobs/${p.scalar('build_id')}`),
    status: words(p.text('build_status')),
    branch: ref,
    values: [
      ['Stage', md`stage ${p.text('build_stage')} of ${link(p.text('repository.name'), home)}`],
      ['By', p.maybeText('user.name')],
      ['Reason', p.text('build_status') === 'failed' ? reasonOf(p) : undefined],
      ['Commit', p.maybeText('commit.message')?.split('\n', 1)[0]],
      ['Took', seconds(p.maybeNumber('build_duration'))],
    ],
  });
};

const changes = { create: 'created', update: 'updated', delete: 'removed' };

const wiki = (p: Payload): Message => {
  const action = wordFor(changes, p.text('object_attributes.action'));
  return note({
    topic: repoOf(p),
    line: md`${bold(actorOf(p))} ${action ?? 'changed'} wiki page ${link(p.text('object_attributes.title'), p.maybeText('object_attributes.url'))}`,
    values: [['Message', p.maybeText('object_attributes.message')]],
  });
};

const release = (p: Payload): Message => {
  const done = wordFor({ ...changes, create: 'published' }, p.text('action'));
  return note({
    topic: repoOf(p),
    line: md`Release ${link(p.text('name'), p.maybeText('url'))} was ${done ?? p.text('action')}`,
    values: [['Tag', p.maybeText('tag')]],
    below: [forge.body(p.maybeText('description'))],
  });
};

const deployment = (p: Payload): Message =>
  forge.buildNote({
    topic: repoOf(p),
    name: `Deployment to ${p.text('environment')}`,
    url: p.maybeText('deployable_url'),
    status: words(p.text('status')),
    branch: p.maybeText('ref'),
    values: [
      ['Commit', p.has('short_sha') ? code(p.text('short_sha')) : undefined],
      ['By', p.maybeText('user.name')],
    ],
  });

/** What the whole server tells: the payload says of what. */
const byKind: Readonly<Record<string, Write>> = {
  push,
  tag_push: tagPush,
  issue,
  merge_request: mergeRequest,
  note: noteHook,
};

const systemHook = (p: Payload, request: Parameters<Write>[1]): Outcome => {
  const kind = p.maybeText('object_kind') ?? p.maybeText('event_name') ?? '';
  return Object.hasOwn(byKind, kind) ? (byKind[kind]?.(p, request) ?? null) : null;
};

export const gitlab: Declaration = {
  name: 'gitlab',
  title: 'GitLab',
  about: 'Pushes, merge requests, issues, notes, pipelines and releases of projects.',
  subject: 'code',
  steps: [
    'Open the project or group on GitLab, then Settings → Webhooks → Add new webhook.',
    'Paste the address into URL.',
    'If you set a secret here, enter the same one into Secret token.',
    'Choose the triggers, save, and press Test at the new webhook.',
  ],
  event: { headers: ['X-Gitlab-Event'] },
  events: {
    'Push Hook': push,
    'Tag Push Hook': tagPush,
    'Issue Hook': issue,
    'Confidential Issue Hook': issue,
    'Merge Request Hook': mergeRequest,
    'Note Hook': noteHook,
    'Confidential Note Hook': noteHook,
    'Pipeline Hook': pipeline,
    'Job Hook': job,
    'Build Hook': job,
    'Wiki Page Hook': wiki,
    'Release Hook': release,
    'Deployment Hook': deployment,
    'System Hook': systemHook,
  },
  silent: ['Repository Update', 'Repository Update Hook', 'Feature Flag Hook', 'Member Hook'],
  signature: sharedToken('x-gitlab-token'),
};
