/** Issues, pull requests and what is written on them, as GitHub and those that took its form tell of them. */
import * as forge from '#service/webhooks/common/forge.ts';
import type { Message, Outcome, Write } from '#service/webhooks/common/integration.ts';
import {
  bold,
  type Labelled,
  link,
  type Markdown,
  md,
  type Value,
  wordFor,
  words,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

export const repoOf = (p: Payload): string => p.text('repository.name');

/** Gitea and Gogs have names where GitHub has logins, and leave out some. */
export const loginOf = (p: Payload, path: string): string =>
  p.maybeText(`${path}.login`) ?? p.maybeText(`${path}.username`) ?? p.text(`${path}.name`);

export const named = (p: Payload, path: string): readonly string[] =>
  p
    .maybeList(path)
    .map((each) => each.maybeText('login') ?? each.maybeText('username') ?? each.text('name'));

const assigneesOf = (p: Payload): readonly string[] => {
  const all = named(p, 'assignees');
  return all.length === 0 && p.has('assignee') ? [loginOf(p, 'assignee')] : all;
};

/** Gitea sends the address of the API as that of an issue. */
function urlOf(p: Payload, key: string, pages: string): string | undefined {
  const url = p.maybeText(`${key}.html_url`);
  if (url !== undefined) return url;
  const home = p.maybeText('repository.html_url');
  return home === undefined ? undefined : `${home}/${pages}/${p.scalar(`${key}.number`)}`;
}

export const issueOf = (p: Payload): forge.Item => ({
  repo: repoOf(p),
  // Comments on pull requests come as comments on issues.
  kind: p.has('issue.pull_request') ? 'PR' : 'issue',
  number: p.scalar('issue.number'),
  title: p.text('issue.title'),
  url: urlOf(p, 'issue', 'issues'),
});

export const pullOf = (p: Payload): forge.Item => ({
  repo: repoOf(p),
  kind: 'PR',
  number: p.scalar('pull_request.number'),
  title: p.text('pull_request.title'),
  url: urlOf(p, 'pull_request', 'pulls'),
});

const branchesOf = (pull: Payload): Labelled =>
  forge.branches(
    pull.maybeText('head_branch') ?? pull.text('head.ref'),
    pull.maybeText('base_branch') ?? pull.text('base.ref'),
  );

/** What an action is called where its own name would not do. */
const verbs: Readonly<Record<string, string>> = {
  synchronize: 'updated',
  synchronized: 'updated',
  ready_for_review: 'marked as ready for review',
  converted_to_draft: 'made a draft of',
  review_requested: 'requested a review of',
  review_request_removed: 'withdrew the request for a review of',
  labeled: 'labelled',
  unlabeled: 'took a label from',
  label_updated: 'changed the labels of',
  label_cleared: 'removed the labels of',
  milestoned: 'put into a milestone',
  demilestoned: 'took out of a milestone',
  auto_merge_enabled: 'enabled merging of',
  auto_merge_disabled: 'disabled merging of',
};
const verbOf = (action: string): string => wordFor(verbs, action) ?? words(action);

type Naming = readonly [path: string, say: (name: Markdown) => Markdown];

/** Actions that name one thing, which is in the payload beside what there is altogether. */
const namings: readonly (readonly [action: string, ...named: readonly Naming[]])[] = [
  ['labeled', ['label.name', (name) => md`added label ${name} to`]],
  ['unlabeled', ['label.name', (name) => md`took label ${name} from`]],
  ['milestoned', ['milestone.title', (name) => md`set milestone ${name} of`]],
  ['demilestoned', ['milestone.title', (name) => md`took milestone ${name} from`]],
  ['assigned', ['assignee.login', (name) => md`assigned ${name} to`]],
  ['unassigned', ['assignee.login', (name) => md`took the assignment of ${name} from`]],
  [
    'review_requested',
    ['requested_reviewer.login', (name) => md`requested a review by ${name} of`],
    ['requested_team.name', (name) => md`requested a review by team ${name} of`],
  ],
  [
    'review_request_removed',
    ['requested_reviewer.login', (name) => md`withdrew the request for a review by ${name} of`],
    ['requested_team.name', (name) => md`withdrew the request for a review by team ${name} of`],
  ],
];

/** What was done, with the label, milestone or person that it is about. */
function deedOf(p: Payload): Value {
  const action = p.text('action');
  const [, ...named] = namings.find(([each]) => each === action) ?? [''];
  for (const [path, say] of named) {
    const name = p.maybeText(path);
    if (name !== undefined) return say(bold(name));
  }
  return verbOf(action);
}

/** The body is news when it was written or changed; what changed else is said beside it. */
const bodyOf = (action: string, subject: Payload): string | undefined =>
  ['opened', 'created', 'edited', 'published'].includes(action)
    ? subject.maybeText('body')
    : undefined;

const changedTitle = (p: Payload): Labelled => ['Former title', p.maybeText('changes.title.from')];

/** Who is at it, and what it was sorted under. */
const statusOf = (subject: Payload): readonly Labelled[] => [
  forge.several('Assignee', assigneesOf(subject)),
  forge.several('Label', named(subject, 'labels')),
  ['Milestone', subject.maybeText('milestone.title')],
];

/** Why it was closed, or closed to comments. */
const reasonOf = (issue: Payload): string | undefined => {
  const reason = issue.maybeText('state_reason') ?? issue.maybeText('active_lock_reason');
  return reason === undefined ? undefined : words(reason);
};

function issues(p: Payload): Message {
  const action = p.text('action');
  const issue = p.object('issue');
  return forge.itemNote(issueOf(p), {
    actor: loginOf(p, 'sender'),
    verb: deedOf(p),
    values: [
      changedTitle(p),
      ...statusOf(issue),
      ['Reason', reasonOf(issue)],
      ['Moved to', p.maybeText('changes.new_repository.full_name')],
    ],
    body: bodyOf(action, issue),
  });
}

/** Asked for with each request: those who are asked altogether. */
const reviewersOf = (pull: Payload): readonly string[] => [
  ...named(pull, 'requested_reviewers'),
  ...pull.maybeList('requested_teams').map((team) => team.text('name')),
];

function pullRequest(p: Payload): Message {
  const action = p.text('action');
  const pull = p.object('pull_request');
  const isMerged = action === 'closed' && pull.flag('merged');
  const actor = loginOf(p, 'sender');
  return forge.itemNote(pullOf(p), {
    actor,
    verb: isMerged ? 'merged' : deedOf(p),
    values: [
      branchesOf(pull),
      ['Former target', p.maybeText('changes.base.ref.from')],
      changedTitle(p),
      forge.author(actor, pull.has('user') ? loginOf(pull, 'user') : undefined),
      forge.several('Reviewer', reviewersOf(pull)),
      ...statusOf(pull),
      ['State', pull.flag('draft') ? 'draft' : undefined],
    ],
    body: bodyOf(action, pull),
  });
}

const reviewVerbs: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'requested changes to',
  commented: 'reviewed',
  dismissed: 'dismissed a review of',
};

function review(p: Payload): Outcome {
  const state = p.text('review.state').toLowerCase();
  const text = p.maybeText('review.body');
  const action = p.text('action');
  // A review of single lines comes again with each of them.
  if (action === 'submitted' && state === 'commented' && text === undefined) return null;
  const verb =
    action === 'edited' ? 'edited a review of' : (wordFor(reviewVerbs, state) ?? 'reviewed');
  return forge.itemNote(pullOf(p), {
    actor: loginOf(p, 'sender'),
    verb: link(verb, p.maybeText('review.html_url')),
    body: text,
  });
}

function reviewComment(p: Payload): Message {
  const line = p.maybeScalar('comment.line') ?? p.maybeScalar('comment.original_line');
  const path = p.maybeText('comment.path');
  const place: Markdown | undefined =
    path === undefined ? undefined : md`${path}${line === undefined ? '' : `:${line}`}`;
  return forge.commentNote(pullOf(p), { ...commentOf(p), values: [['At', place]] });
}

const commentOf = (p: Payload): forge.Comment => ({
  actor: loginOf(p, 'sender'),
  // Older comments on commits come without one.
  action: p.maybeText('action') ?? 'created',
  url: p.maybeText('comment.html_url'),
  text: p.text('comment.body'),
});

const issueComment = (p: Payload): Message => forge.commentNote(issueOf(p), commentOf(p));

function commitComment(p: Payload): Message {
  const sha = p.text('comment.commit_id');
  const home = p.maybeText('repository.html_url');
  const commit = forge.commitLink(sha, home === undefined ? undefined : `${home}/commit/${sha}`);
  return forge.commentOn(repoOf(p), md`commit ${commit}`, commentOf(p));
}

const discussion = (p: Payload): Message =>
  forge.itemNote(discussionOf(p), {
    actor: loginOf(p, 'sender'),
    verb: verbOf(p.text('action')),
    values: [['Category', p.maybeText('discussion.category.name')]],
    body: bodyOf(p.text('action'), p.object('discussion')),
  });

const discussionOf = (p: Payload): forge.Item => ({
  repo: repoOf(p),
  kind: 'discussion',
  number: p.scalar('discussion.number'),
  title: p.text('discussion.title'),
  url: p.maybeText('discussion.html_url'),
});

export const items: Readonly<Record<string, Write>> = {
  pull_request: pullRequest,
  pull_request_target: pullRequest,
  issues,
  discussion,
};

export const comments: Readonly<Record<string, Write>> = {
  issue_comment: issueComment,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
  commit_comment: commitComment,
  discussion_comment: (p) => forge.commentNote(discussionOf(p), commentOf(p)),
};
