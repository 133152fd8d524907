import type { FactTable } from './facts.ts';

export const buildFacts: FactTable = {
  'circleci/bitbucket_manual_workflow_completed.json': {
    topic: 'circleci-webhook-testing',
    says: ['Workflow sample on master: success', 'cab5eac'],
    of: ['pipeline.number'],
    links: ['workflow.url'],
  },
  'circleci/github_tag_workflow_completed.json': {
    topic: 'circleci-webhook-test',
    says: ['Workflow sample', 'success', '0e6e66c'],
    links: ['workflow.url'],
  },
  'circleci/gitlab_job_completed.json': {
    topic: 'circleci-webhook-test',
    says: ['Job build-and-test on main: success'],
    of: [
      'pipeline.trigger_parameters.gitlab.commit_title',
      'pipeline.trigger_parameters.gitlab.user_name',
    ],
    links: ['workflow.url'],
  },
  'circleci/gitlab_workflow_completed.json': {
    says: ['Workflow sample on main: success'],
    links: ['workflow.url'],
  },
  'travis/build.json': {
    topic: 'builds',
    says: ['passed', '4601', 'master', 'fhir-svn'],
    of: ['author_name'],
    links: ['build_url', 'compare_url'],
  },
  'teamcity/failure.json': {
    topic: 'Project :: Compile',
    says: ['5535 - CL 123456', 'still failing', 'Exit code 1'],
    of: ['build.triggeredBy', 'build.agentName'],
    links: ['build.buildStatusUrl'],
  },
  'teamcity/fixed.json': {
    topic: 'Project :: Compile',
    says: ['fixed', 'Tests passed: 27'],
    links: ['build.buildStatusUrl'],
  },
  'teamcity/slack_non_generic_payload.json': { refused: 'BAD_REQUEST', names: "'build'" },
  'appveyor/appveyor_build_failure.json': {
    topic: 'Hubot-DSC-Resource',
    says: ['2.0.59', 'failed', 'master', 'c06e208'],
    of: [
      'eventData.commitMessage',
      'eventData.commitAuthor',
      'eventData.started',
      'eventData.finished',
    ],
    links: ['eventData.buildUrl', 'eventData.commitUrl'],
  },
  'netlify/deploy_building.json': {
    topic: 'objective-jepsen-35fbb2 / master',
    says: ['building', 'production'],
    links: ['deploy_ssl_url', 'admin_url'],
  },
  'netlify/deploy_failed.json': {
    says: ['failed'],
    of: ['error_message', 'name'],
    links: ['admin_url'],
  },
  'heroku/deploy_multiple_commits.txt': {
    topic: 'sample-project',
    says: ['user@example.com deployed 3eb5f44', 'Test commit for Deploy Hook', 'v9'],
    links: ['url'],
  },
};
