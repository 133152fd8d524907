import { commit, githubPayloads, home, issueTopic, pullTopic, push } from './github.ts';
import { type Own, type Row, rowsOf } from './own.ts';

const project = { name: 'site', web_url: home };
const user = { name: 'Ann' };
const attributes = {
  iid: 4,
  title: 'Leak',
  url: `${home}/4`,
  description: 'It drips.',
  action: 'open',
};
const merge = {
  ...attributes,
  iid: 5,
  title: 'Mend',
  source_branch: 'seal',
  target_branch: 'main',
};
const noted = { note: 'Look here', url: `${home}/n` };
const gitlabPush = { ...push, user_name: 'Ann', project, total_commits_count: 30 };

const gitlabRows: readonly Row[] = [
  ['Push Hook', gitlabPush, 'site / main', 'Ann pushed 30 commits to branch main', 'and 29 more'],
  [
    'Push Hook',
    { ...gitlabPush, after: '000', commits: [] },
    'site / main',
    'Ann removed branch main',
  ],
  ['Push Hook', { ...gitlabPush, ref: 'refs/heads/a?b' }, 'site / a?b', `${home}/-/tree/a%3Fb`],
  [
    'Issue Hook',
    {
      user,
      project,
      object_attributes: { ...attributes, action: 'update' },
      changes: {
        labels: { previous: [{ title: 'wet' }, { title: 'old' }], current: [{ title: 'old' }] },
        assignees: { previous: [{ name: 'Bob' }], current: [] },
      },
      labels: [{ title: 'old' }],
    },
    issueTopic,
    'Labels taken away: wet',
    'No longer assigned: Bob',
  ],
  ['Tag Push Hook', { ...gitlabPush, ref: 'refs/tags/v1' }, 'site', 'Ann pushed tag v1'],
  [
    'Issue Hook',
    {
      user,
      project,
      object_attributes: attributes,
      labels: [{ title: 'wet' }],
      assignees: [{ name: 'Bob' }],
    },
    issueTopic,
    'Ann opened issue #4 Leak',
    'Assignee: Bob',
    'Label: wet',
    'It drips.',
  ],
  [
    'Confidential Issue Hook',
    { user, project, object_attributes: { ...attributes, confidential: true } },
    issueTopic,
    'Ann opened confidential issue #4',
  ],
  [
    'Merge Request Hook',
    { user, project, object_attributes: { ...merge, action: 'approved' }, reviewers: [user] },
    'site / MR #5 Mend',
    'Ann approved MR #5 Mend',
    'seal into main',
    'Reviewer: Ann',
  ],
  [
    'Note Hook',
    { user, project, object_attributes: { ...noted, noteable_type: 'Issue' }, issue: attributes },
    issueTopic,
    'Ann commented on issue #4',
    'Look here',
  ],
  [
    'Note Hook',
    {
      user,
      project,
      object_attributes: { ...noted, noteable_type: 'MergeRequest' },
      merge_request: merge,
    },
    'site / MR #5 Mend',
    'commented on MR #5',
  ],
  [
    'Note Hook',
    { user, project, object_attributes: { ...noted, noteable_type: 'Commit' }, commit },
    'site',
    'commented on commit abcdef0',
  ],
  [
    'Confidential Note Hook',
    {
      user,
      project,
      object_attributes: { ...noted, noteable_type: 'Snippet' },
      snippet: { title: 'S' },
    },
    'site',
    'commented on snippet S',
  ],
  [
    'Pipeline Hook',
    {
      user,
      project,
      object_attributes: { id: 9, ref: 'main', status: 'failed', duration: 61 },
      builds: [{ id: 1, name: 'lint', stage: 'test', status: 'failed' }],
      commit,
    },
    'site / main',
    'Pipeline #9 on main: failed',
    'lint (test): failed',
    'Took: 61 s',
  ],
  [
    'Job Hook',
    {
      user,
      repository: { name: 'site', homepage: home },
      ref: 'main',
      build_id: 3,
      build_name: 'lint',
      build_stage: 'test',
      build_status: 'success',
    },
    'site / main',
    'Job lint on main: success',
  ],
  [
    'Build Hook',
    {
      user,
      repository: { name: 'site' },
      ref: 'main',
      build_id: 3,
      build_name: 'lint',
      build_stage: 'test',
      build_status: 'running',
    },
    'site / main',
    'Job lint on main: running',
  ],
  [
    'Wiki Page Hook',
    { user, project, object_attributes: { title: 'How', action: 'create', message: 'Begin' } },
    'site',
    'Ann created wiki page How',
    'Begin',
  ],
  [
    'Release Hook',
    { project, action: 'create', name: 'First', tag: 'v1', url: `${home}/r`, description: 'Enjoy' },
    'site',
    'Release First was published',
    'Enjoy',
  ],
  [
    'Deployment Hook',
    { user, project, environment: 'live', status: 'success', ref: 'main', short_sha: 'abcdef0' },
    'site',
    'Deployment to live on main: success',
  ],
  [
    'System Hook',
    { object_kind: 'merge_request', user, project, object_attributes: merge },
    'site / MR #5 Mend',
    'Ann opened MR #5',
  ],
  ['System Hook', { event_name: 'user_create' }, null],
];

const html = (path: string) => ({ html: { href: `${home}/${path}` } });
const actor = { display_name: 'Ann' };
const cloudPull = {
  id: 5,
  title: 'Mend',
  links: html('5'),
  description: 'New seal.',
  source: { branch: { name: 'seal' } },
  destination: { branch: { name: 'main' } },
};
const cloudIssue = {
  id: 4,
  title: 'Leak',
  links: html('4'),
  state: 'new',
  priority: 'major',
  kind: 'bug',
  content: { raw: 'It drips.' },
};
const cloudComment = { links: html('c'), content: { raw: 'Look here' } };
const cloud = (more: object): object => ({
  actor,
  repository: { name: 'site', full_name: 'org/site', links: html('') },
  ...more,
});
const cloudPullRows = (
  [
    ['created', 'created'],
    ['updated', 'updated'],
    ['approved', 'approved'],
    ['unapproved', 'withdrew the approval of'],
    ['changes_request_created', 'requested changes to'],
    ['changes_request_removed', 'withdrew the request for changes to'],
    ['fulfilled', 'merged'],
    ['rejected', 'rejected'],
  ] as const
).map(([event, verb]): Row => [
  `pullrequest:${event}`,
  cloud({ pullrequest: cloudPull }),
  pullTopic,
  `Ann ${verb} PR #5 Mend`,
  'seal into main',
]);

const status = {
  name: 'Build',
  state: 'FAILED',
  url: `${home}/b`,
  description: 'Broken',
  key: 'k',
};
const bitbucket2Rows: readonly Row[] = [
  [
    'repo:push',
    cloud({
      push: {
        changes: [
          {
            new: { type: 'branch', name: 'main' },
            commits: [
              { hash: 'abcdef0123', message: 'Mend it', author: { raw: 'Bob <b@x.test>' } },
            ],
          },
        ],
      },
    }),
    'site / main',
    'Ann pushed 1 commit to branch main',
    'Commits by Bob (1)',
  ],
  [
    'repo:push',
    cloud({ push: { changes: [{ old: { type: 'branch', name: 'main' } }] } }),
    'site / main',
    'Ann removed branch main',
  ],
  ['repo:fork', cloud({ fork: { full_name: 'bob/site' } }), 'site', 'Ann forked site as bob/site'],
  [
    'repo:updated',
    cloud({ changes: { name: { old: 'a', new: 'b' } } }),
    'site',
    'Ann changed repository org/site',
    'Name: b (was a)',
  ],
  [
    'repo:commit_comment_created',
    cloud({ comment: cloudComment, commit: { hash: 'abcdef0123' } }),
    'site',
    'Ann commented on commit abcdef0',
    'Look here',
  ],
  [
    'repo:commit_status_created',
    cloud({ commit_status: status }),
    'site',
    'Build: failed',
    'Broken',
  ],
  ['repo:commit_status_updated', cloud({ commit_status: status }), 'site', 'Build: failed'],
  [
    'issue:created',
    cloud({ issue: cloudIssue }),
    issueTopic,
    'Ann opened issue #4 Leak',
    'Priority: major',
    'It drips.',
  ],
  [
    'issue:updated',
    cloud({ issue: { ...cloudIssue, assignee: actor } }),
    issueTopic,
    'Ann updated issue #4 Leak',
    'Assignee: Ann',
  ],
  [
    'issue:comment_created',
    cloud({ issue: cloudIssue, comment: cloudComment }),
    issueTopic,
    'Ann commented on issue #4',
    'Look here',
  ],
  ...cloudPullRows,
  [
    'pullrequest:comment_created',
    cloud({ pullrequest: cloudPull, comment: cloudComment }),
    pullTopic,
    'Ann commented on PR #5',
  ],
  [
    'pullrequest:comment_updated',
    cloud({ pullrequest: cloudPull, comment: cloudComment }),
    pullTopic,
    'Ann edited a comment on PR #5',
  ],
  [
    'pullrequest:comment_deleted',
    cloud({ pullrequest: cloudPull, comment: cloudComment }),
    pullTopic,
    'Ann deleted a comment on PR #5',
  ],
  ['repo:transfer', cloud({}), null],
];

const self = (path: string) => ({ self: [{ href: `${home}/${path}` }] });
const person = { displayName: 'Ann' };
const server = (more: object): object => ({
  actor: person,
  repository: { name: 'site', links: self('browse') },
  ...more,
});
const serverPull = {
  id: 5,
  title: 'Mend',
  links: self('5'),
  description: 'New seal.',
  fromRef: { displayId: 'seal' },
  toRef: { displayId: 'main', repository: { name: 'site' } },
  reviewers: [{ user: { displayName: 'Bob' } }],
};
const refChange = (type: string) => ({
  type,
  ref: { displayId: 'main', type: 'BRANCH' },
  toHash: 'abcdef0123',
});
const serverPullRows = (
  [
    ['opened', 'opened'],
    ['modified', 'modified'],
    ['from_ref_updated', 'updated'],
    ['merged', 'merged'],
    ['declined', 'declined'],
    ['deleted', 'deleted'],
    ['reviewer:approved', 'approved'],
    ['reviewer:unapproved', 'withdrew the approval of'],
    ['reviewer:needs_work', 'requested changes to'],
    ['reviewer:changes_requested', 'requested changes to'],
  ] as const
).map(([event, verb]): Row => [
  `pr:${event}`,
  server({ pullRequest: serverPull }),
  pullTopic,
  `Ann ${verb} PR #5 Mend`,
  'seal into main',
  'Reviewer: Bob',
]);
const serverComment = { text: 'Look here' };
const bitbucket3Rows: readonly Row[] = [
  [
    'repo:refs_changed',
    server({ changes: [refChange('UPDATE')] }),
    'site / main',
    'Ann pushed to branch main',
    'Head: abcdef0',
  ],
  [
    'repo:refs_changed',
    server({ changes: [refChange('UPDATE')], commits: [{ id: 'abcdef0123', message: 'Mend it' }] }),
    'site / main',
    'Ann pushed 1 commit to branch main',
  ],
  [
    'repo:refs_changed',
    server({ changes: [refChange('ADD'), refChange('DELETE')] }),
    'site / main',
    'Ann created branch main',
    'Ann removed branch main',
  ],
  ['repo:forked', server({}), 'site', 'Ann forked a repository as site'],
  [
    'repo:modified',
    server({ old: { name: 'a' }, new: { name: 'b' } }),
    'b',
    'Ann changed repository b',
    'Former name: a',
  ],
  [
    'repo:comment:added',
    server({ comment: serverComment, commit: 'abcdef0123' }),
    'site',
    'Ann commented on commit abcdef0',
    'Look here',
  ],
  [
    'repo:comment:edited',
    server({ comment: serverComment, commit: 'abcdef0123' }),
    'site',
    'Ann edited a comment on commit',
  ],
  [
    'repo:comment:deleted',
    server({ comment: serverComment, commit: 'abcdef0123' }),
    'site',
    'Ann deleted a comment on commit',
  ],
  ...serverPullRows,
  [
    'pr:reviewer:updated',
    server({
      pullRequest: serverPull,
      addedReviewers: [person],
      removedReviewers: [{ name: 'cy' }],
    }),
    pullTopic,
    'Ann changed the reviewers of PR #5',
    'Added: Ann',
    'Removed: cy',
  ],
  [
    'pr:comment:added',
    server({ pullRequest: serverPull, comment: serverComment }),
    pullTopic,
    'Ann commented on PR #5',
  ],
  [
    'pr:comment:edited',
    server({ pullRequest: serverPull, comment: serverComment }),
    pullTopic,
    'Ann edited a comment on PR #5',
  ],
  [
    'pr:comment:deleted',
    server({ pullRequest: serverPull, comment: serverComment }),
    pullTopic,
    'Ann deleted a comment on PR #5',
  ],
  ['diagnostics:ping', {}, 'Bitbucket', 'Bitbucket Server can deliver'],
];

const azureRepository = { name: 'site', remoteUrl: home };
const azurePull = {
  repository: azureRepository,
  pullRequestId: 5,
  title: 'Mend',
  createdBy: { displayName: 'Ann' },
  sourceRefName: 'refs/heads/seal',
  targetRefName: 'refs/heads/main',
  description: 'New seal.',
};
const azure = (eventType: string, resource: object, topic: string, ...says: string[]): Own => ({
  name: 'azuredevops',
  payload: {
    eventType,
    message: { text: 'Task #8 was changed', html: `<a href="${home}/x">x</a>` },
    resource,
  },
  topic,
  says,
});

export const codePayloads: readonly Own[] = [
  ...githubPayloads,
  ...rowsOf('gitlab', gitlabRows),
  ...rowsOf('bitbucket2', bitbucket2Rows),
  ...rowsOf('bitbucket3', bitbucket3Rows),
  azure(
    'git.push',
    {
      repository: azureRepository,
      pushedBy: { displayName: 'Ann' },
      refUpdates: [{ name: 'refs/heads/main', oldObjectId: '11', newObjectId: '22' }],
      commits: [{ commitId: 'abcdef0123', comment: 'Mend it' }],
    },
    'site / main',
    'Ann pushed 1 commit to branch main',
    'Mend it',
  ),
  azure(
    'git.pullrequest.created',
    azurePull,
    pullTopic,
    'Ann created PR #5 Mend',
    'seal into main',
    'New seal.',
  ),
  azure('git.pullrequest.updated', azurePull, pullTopic, 'Ann updated PR #5 Mend'),
  azure(
    'git.pullrequest.merged',
    { ...azurePull, closedBy: { displayName: 'Bob' } },
    pullTopic,
    'Bob merged PR #5 Mend',
  ),
  azure(
    'build.complete',
    {
      buildNumber: '7',
      result: 'failed',
      definition: { name: 'nightly' },
      requestedFor: { displayName: 'Ann' },
    },
    'nightly',
    'Build 7: failed',
    'Requested for: Ann',
  ),
  azure(
    'workitem.updated',
    {
      workItemId: 8,
      revision: {
        fields: {
          'System.Title': 'Paint',
          'System.State': 'Active',
          'System.TeamProject': 'Home',
          'System.WorkItemType': 'Task',
        },
      },
    },
    'Home / Task #8 Paint',
    'Task #8 was changed',
    'State: Active',
  ),
];
