import { type Own, own, rowsOf } from './own.ts';

const circle = (more: object): object => ({
  project: { name: 'site' },
  workflow: { name: 'main', status: 'failed', url: 'https://ci.test/w' },
  pipeline: {
    number: 3,
    vcs: {
      branch: 'seal',
      revision: 'abcdef0123',
      tag: 'v1',
      commit: { subject: 'Mend it', author: { name: 'Ann' } },
    },
  },
  ...more,
});
const jenkins = (phase: string, more: object = {}): object => ({
  name: 'nightly',
  build: {
    number: 7,
    phase,
    full_url: 'https://ci.test/7',
    scm: { branch: 'origin/main', commit: 'abcdef0123' },
    ...more,
  },
});
const netlify = {
  name: 'site',
  branch: 'main',
  deploy_ssl_url: 'https://x.test',
  context: 'production',
  admin_url: 'https://a.test',
};
const travis = {
  number: 3,
  state: 'failed',
  repository: { name: 'site' },
  author_name: 'Ann',
  build_url: 'https://ci.test/b',
  compare_url: 'https://ci.test/c',
  branch: 'main',
  message: 'Mend it\nmore',
};
const appveyor = {
  projectName: 'site',
  buildVersion: '1.0.7',
  status: 'success',
  branch: 'main',
  commitId: 'abcdef0123',
  commitAuthor: 'Ann',
  commitMessage: 'Mend it',
  started: 'noon',
  finished: 'later',
};
const teamcity = {
  buildFullName: 'Site :: Test',
  buildNumber: '7',
  buildResult: 'failure',
  buildStatus: 'Tests failed: 2',
  branchName: 'main',
  triggeredBy: 'Ann',
};

export const buildPayloads: readonly Own[] = [
  ...rowsOf('circleci', [
    [
      'workflow-completed',
      circle({}),
      'site',
      'Workflow main on seal: failed',
      'Pipeline: #3',
      'abcdef0 Mend it',
      'Tag: v1',
      'By: Ann',
    ],
    [
      'job-completed',
      circle({ job: { name: 'lint', status: 'success' } }),
      'site',
      'Job lint on seal: success',
    ],
    ['ping', {}, 'CircleCI', 'CircleCI can deliver'],
  ]),
  own('jenkins', jenkins('QUEUED'), 'nightly', 'Build #7 of nightly is waiting'),
  own('jenkins', jenkins('STARTED'), 'nightly', 'Build #7 of nightly on main: started', 'abcdef0'),
  own(
    'jenkins',
    jenkins('COMPLETED', { status: 'FAILURE' }),
    'nightly',
    'Build #7 of nightly on main: failure',
  ),
  own('jenkins', jenkins('FINALIZED', { status: 'SUCCESS' }), 'nightly', 'success'),
  own(
    'travis',
    travis,
    'builds',
    'Build #3 of site on main: failed',
    'Author: Ann',
    'Message: Mend it',
  ),
  {
    ...own('travis', { ...travis, type: 'pull_request' }, null),
    query: { ignore_pull_requests: 'true' },
  },
  own(
    'teamcity',
    { build: teamcity },
    'Site :: Test',
    'Build 7 of Site :: Test on main: broken',
    'Tests failed: 2',
    'Triggered by: Ann',
  ),
  own(
    'teamcity',
    { build: { ...teamcity, buildResult: 'success', buildResultDelta: 'fixed' } },
    'Site :: Test',
    'fixed',
  ),
  own('teamcity', { build: { ...teamcity, buildResult: 'running' } }, 'Site :: Test', 'started'),
  own(
    'appveyor',
    { eventName: 'build_success', eventData: appveyor },
    'site',
    'Build 1.0.7 of site on main: success',
    'Author: Ann',
    'Started: noon',
    'Finished: later',
  ),
  own('appveyor', { eventName: 'deployment_success', eventData: appveyor }, 'site', 'Build 1.0.7'),
  ...rowsOf('netlify', [
    [
      'deploy_building',
      netlify,
      'site / main',
      'Deploy of site on main: building',
      'For: production',
    ],
    [
      'deploy_created',
      { ...netlify, title: 'Mend it', commit_ref: 'abcdef0123' },
      'site / main',
      'success',
      'Mend it',
      'abcdef0',
    ],
    [
      'deploy_failed',
      { ...netlify, error_message: 'Exit 1' },
      'site / main',
      'failed',
      'Error: Exit 1',
    ],
    ['deploy_locked', netlify, 'site / main', 'locked'],
    ['deploy_unlocked', { name: 'site' }, 'site', 'unlocked'],
    ['submission_created', {}, null],
  ]),
  own(
    'heroku',
    {
      app: 'site',
      user: 'ann@x.test',
      head: 'abcdef0',
      url: 'https://s.test',
      release: 'v9',
      git_log: '* Ann: Mend it',
    },
    'site',
    'ann@x.test deployed abcdef0 of site',
    'Release: v9',
    '* Ann: Mend it',
  ),
];
