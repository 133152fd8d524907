import { type Own, type Row, rowsOf } from './own.ts';

export const home = 'https://git.test/site';
const sender = { login: 'ann' };
const repository = { name: 'site', full_name: 'org/site', html_url: home };
const issue = { number: 4, title: 'Leak', html_url: `${home}/issues/4`, body: 'It drips.' };
const pull = {
  number: 5,
  title: 'Mend',
  html_url: `${home}/pull/5`,
  body: 'New seal.',
  head: { ref: 'seal' },
  base: { ref: 'main' },
};
const comment = { body: 'Look here', html_url: `${home}/c1`, commit_id: 'abcdef0123' };
export const commit = {
  id: 'abcdef0123',
  message: 'Mend it\n\nmore',
  url: `${home}/c`,
  author: { name: 'Ann' },
};
export const push = {
  ref: 'refs/heads/main',
  before: '1111',
  after: 'abcdef0123',
  compare: `${home}/compare`,
  commits: [commit],
};
const release = { name: 'First', tag_name: 'v1', html_url: `${home}/r`, body: 'Enjoy' };
const review = { state: 'approved', body: 'Good', html_url: `${home}/rv` };

export const issueTopic = 'site / issue #4 Leak';
export const pullTopic = 'site / PR #5 Mend';

const githubRows: readonly Row[] = [
  [
    'push',
    { ...push, pusher: { name: 'ann' } },
    'site / main',
    'ann pushed 1 commit to branch main',
    'Mend it (abcdef0)',
    'Commits by Ann (1)',
  ],
  [
    'push',
    { ...push, forced: true, commits: [], pusher: { name: 'ann' } },
    'site / main',
    'ann force-pushed branch main',
  ],
  [
    'push',
    { ...push, ref: 'refs/tags/v1', deleted: true, pusher: { name: 'ann' } },
    'site',
    'ann removed tag v1',
  ],
  [
    'push',
    { ...push, ref: 'refs/heads/fix/#4?100%', pusher: { name: 'ann' } },
    'site / fix/#4?100%',
    `${home}/tree/fix/%234%3F100%25`,
  ],
  ['push', { ...push, ref: 'refs/heads/gh-readonly-queue/main/pr-5-abc' }, null],
  ['create', { ref: 'gh-readonly-queue/main/pr-5-abc', ref_type: 'branch' }, null],
  ['delete', { ref: 'gh-readonly-queue/main/pr-5-abc', ref_type: 'branch' }, null],
  ['merge_group', { action: 'checks_requested' }, null],
  [
    'issues',
    { action: 'unlabeled', issue, label: { name: 'wet' } },
    issueTopic,
    'ann took label wet from issue #4 Leak',
  ],
  [
    'issues',
    { action: 'demilestoned', issue, milestone: { title: 'M1' } },
    issueTopic,
    'ann took milestone M1 from issue #4',
  ],
  [
    'issues',
    { action: 'unassigned', issue, assignee: { login: 'bob' } },
    issueTopic,
    'ann took the assignment of bob from issue #4',
  ],
  [
    'issues',
    { action: 'closed', issue: { ...issue, state_reason: 'not_planned' } },
    issueTopic,
    'Reason: not planned',
  ],
  [
    'issues',
    { action: 'transferred', issue, changes: { new_repository: { full_name: 'org/tap' } } },
    issueTopic,
    'Moved to: org/tap',
  ],
  [
    'pull_request',
    { action: 'labeled', pull_request: { ...pull, draft: true }, label: { name: 'wet' } },
    pullTopic,
    'ann added label wet to PR #5',
    'State: draft',
  ],
  [
    'pull_request',
    { action: 'review_request_removed', pull_request: pull, requested_team: { name: 'T' } },
    pullTopic,
    'ann withdrew the request for a review by team T of PR #5',
  ],
  [
    'pull_request',
    {
      action: 'edited',
      pull_request: { ...pull, user: { login: 'bob' }, milestone: { title: 'M1' } },
      changes: { base: { ref: { from: 'old' } } },
    },
    pullTopic,
    'Former target: old',
    'Author: bob',
    'Milestone: M1',
  ],
  [
    'pull_request',
    { action: 'closed', pull_request: { ...pull, merged: true } },
    pullTopic,
    'ann merged PR #5 Mend',
    'seal into main',
  ],
  [
    'pull_request',
    { action: 'opened', pull_request: pull },
    pullTopic,
    'ann opened PR #5 Mend',
    'New seal.',
  ],
  ['pull_request', { action: 'closed', pull_request: pull }, pullTopic, 'ann closed PR #5 Mend'],
  [
    'pull_request_target',
    { action: 'synchronize', pull_request: pull },
    pullTopic,
    'ann updated PR #5',
  ],
  [
    'issues',
    {
      action: 'opened',
      issue: {
        ...issue,
        assignee: { login: 'bob' },
        labels: [{ name: 'wet' }],
        milestone: { title: 'M1' },
      },
    },
    issueTopic,
    'ann opened issue #4 Leak',
    'Assignee: bob',
    'Label: wet',
    'Milestone: M1',
    'It drips.',
  ],
  [
    'issue_comment',
    { action: 'created', issue, comment },
    issueTopic,
    'ann commented on issue #4 Leak',
    'Look here',
  ],
  [
    'issue_comment',
    { action: 'created', issue: { ...issue, pull_request: {} }, comment },
    'site / PR #4 Leak',
    'commented on PR #4',
  ],
  [
    'pull_request_review',
    { action: 'submitted', pull_request: pull, review },
    pullTopic,
    'ann approved PR #5',
    'Good',
  ],
  [
    'pull_request_review',
    { action: 'submitted', pull_request: pull, review: { ...review, state: 'changes_requested' } },
    pullTopic,
    'ann requested changes to PR #5',
  ],
  [
    'pull_request_review',
    { action: 'submitted', pull_request: pull, review: { state: 'commented' } },
    null,
  ],
  [
    'pull_request_review_comment',
    { action: 'created', pull_request: pull, comment: { ...comment, path: 'a.ts', line: 7 } },
    pullTopic,
    'ann commented on PR #5',
    'At: a.ts:7',
  ],
  ['commit_comment', { comment }, 'site', 'ann commented on commit abcdef0', 'Look here'],
  ['create', { ref: 'seal', ref_type: 'branch' }, 'site', 'ann created branch seal'],
  ['create', { ref: 'v1', ref_type: 'tag' }, null],
  ['delete', { ref: 'seal', ref_type: 'branch' }, 'site', 'ann removed branch seal'],
  [
    'release',
    { action: 'published', release },
    'site',
    'ann published release First',
    'Tag: v1',
    'Enjoy',
  ],
  [
    'workflow_run',
    {
      action: 'completed',
      workflow_run: {
        name: 'CI',
        conclusion: 'failure',
        head_branch: 'main',
        html_url: `${home}/w`,
      },
    },
    'site',
    'Workflow CI on main: failure',
  ],
  ['workflow_run', { action: 'requested', workflow_run: { name: 'CI' } }, null],
  [
    'check_run',
    { check_run: { status: 'completed', name: 'lint', conclusion: 'timed_out' } },
    'site',
    'Check lint: timed out',
  ],
  [
    'status',
    {
      state: 'failure',
      sha: 'abcdef0123',
      context: 'ci',
      target_url: `${home}/s`,
      description: 'Broken',
      branches: [{ name: 'main' }],
    },
    'site',
    'ci: failure',
    'Branch: main',
    'By: ann',
    'Broken',
  ],
  ['status', { state: 'pending', sha: 'a', context: 'ci' }, null],
  [
    'deployment_status',
    { deployment: { environment: 'live', ref: 'main' }, deployment_status: { state: 'success' } },
    'site',
    'Deployment to live on main: success',
  ],
  ['fork', { forkee: { full_name: 'bob/site' } }, 'site', 'ann forked site as bob/site'],
  ['star', { action: 'created' }, 'site', 'ann starred org/site'],
  [
    'membership',
    {
      action: 'removed',
      member: { login: 'bob' },
      team: { name: 'T' },
      organization: { login: 'org' },
    },
    'org',
    'ann removed bob from team T',
  ],
  [
    'team',
    { action: 'created', team: { name: 'T' }, organization: { login: 'org' } },
    'org',
    'ann created team T',
  ],
  [
    'gollum',
    { pages: [{ action: 'edited', title: 'Home' }] },
    'site',
    'ann changed the wiki: edited Home',
  ],
  ['repository', { action: 'archived' }, 'site', 'ann archived repository org/site'],
  ['public', {}, 'site', 'ann made public repository org/site'],
  [
    'discussion',
    { action: 'created', discussion: { number: 6, title: 'Why', body: 'Because' } },
    'site / discussion #6 Why',
    'ann created discussion #6 Why',
    'Because',
  ],
  [
    'discussion_comment',
    { action: 'created', comment, discussion: { number: 6, title: 'Why' } },
    'site / discussion #6 Why',
    'ann commented on discussion #6',
  ],
  ['ping', { zen: 'Calm' }, 'site', 'GitHub can deliver', 'Calm'],
  ['label', {}, null],
];

const giteaRows: readonly Row[] = [
  [
    'push',
    { ...push, pusher: { username: 'ann' } },
    'site / main',
    'ann pushed 1 commit to branch main',
    'Mend it (abcdef0)',
  ],
  ['push', { ...push, before: '0000', commits: [] }, 'site / main', 'ann created branch main'],
  ['push', { ...push, ref: 'refs/tags/v1' }, 'site', 'ann pushed tag v1'],
  ['push', { ...push, ref: 'refs/heads/a#b' }, 'site / a#b', `${home}/src/branch/a%23b`],
  ['create', { ref: 'seal', ref_type: 'branch' }, 'site', 'ann created branch seal'],
  ['delete', { ref: 'seal', ref_type: 'branch' }, 'site', 'ann removed branch seal'],
  ['issues', { action: 'label_updated', issue }, issueTopic, 'ann changed the labels of issue #4'],
  ['issue_comment', { action: 'created', issue, comment }, issueTopic, 'ann commented on issue #4'],
  [
    'pull_request',
    { action: 'opened', pull_request: pull },
    pullTopic,
    'ann opened PR #5',
    'seal into main',
  ],
  [
    'pull_request_approved',
    { action: 'reviewed', pull_request: pull },
    pullTopic,
    'ann reviewed PR #5',
  ],
  ['pull_request_target', { action: 'opened', pull_request: pull }, pullTopic, 'ann opened PR #5'],
  [
    'pull_request_review',
    { action: 'submitted', pull_request: pull, review },
    pullTopic,
    'ann approved PR #5',
  ],
  [
    'pull_request_review_comment',
    { action: 'created', pull_request: pull, comment },
    pullTopic,
    'ann commented on PR #5',
  ],
  ['commit_comment', { comment }, 'site', 'commented on commit abcdef0'],
  [
    'discussion',
    { action: 'created', discussion: { number: 6, title: 'Why' } },
    'site / discussion #6 Why',
    'ann created discussion',
  ],
  [
    'discussion_comment',
    { comment, discussion: { number: 6, title: 'Why' } },
    'site / discussion #6 Why',
    'ann commented',
  ],
  [
    'release',
    { action: 'published', release: { ...release, body: undefined, note: 'Enjoy' } },
    'site',
    'ann published release First',
    'Enjoy',
  ],
  [
    'fork',
    { forkee: { name: 'site', full_name: 'org/site' } },
    'site',
    'ann forked org/site as org/site',
  ],
  ['repository', { action: 'created' }, 'site', 'ann created repository org/site'],
  ['wiki', {}, null],
];

const withRepository = (rows: readonly Row[]): readonly Row[] =>
  rows.map(([event, payload, topic, ...says]) => [
    event,
    { sender, repository, ...(payload as object) },
    topic,
    ...says,
  ]);

export const githubPayloads: readonly Own[] = [
  ...rowsOf('github', withRepository(githubRows)),
  ...['gitea', 'gogs', 'forgejo'].flatMap((name) => rowsOf(name, withRepository(giteaRows))),
];
