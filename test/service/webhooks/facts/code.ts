import type { FactTable } from './facts.ts';

export const codeFacts: FactTable = {
  'github/ping.json': { topic: 'public-repo', says: ['can deliver'], of: ['zen'] },
  'github/push__multiple_committers.json': {
    topic: 'public-repo / changes',
    branch: 'changes',
    says: ['pushed 6 commits to branch changes', '0d1a26e'],
    of: ['pusher.name', 'commits.0.message', 'commits.5.author.name'],
    links: ['compare', 'commits.0.url'],
  },
  'github/push__tag.json': {
    topic: 'public-repo',
    says: ['baxterthehacker pushed tag abc'],
    links: ['compare'],
  },
  'github/commit_comment.json': {
    topic: 'public-repo',
    says: ['baxterthehacker commented on', '9049f12'],
    of: ['comment.body'],
    links: ['comment.html_url'],
  },
  'github/fork.json': {
    topic: 'public-repo',
    says: ['forked'],
    of: ['forkee.owner.login', 'forkee.full_name'],
    links: ['forkee.html_url'],
  },
  'github/issue_comment__deleted.json': {
    topic: 'Scheduler / issue #5 This is a new issue',
    says: ['eeshangarg deleted a comment on issue #5'],
    of: ['comment.body', 'issue.title'],
    links: ['issue.html_url'],
  },
  'github/membership.json': {
    topic: 'baxterandthehackers',
    says: ['added kdaigle to', 'Contractors'],
    of: ['sender.login', 'member.login'],
    links: ['member.html_url'],
  },
  'github/status.json': {
    topic: 'public-repo',
    says: ['success', 'default', '9049f12'],
    of: ['commit.commit.message'],
    links: ['commit.html_url'],
  },
  'github/pull_request__review_requested_team_reviewer.json': {
    topic: 'webhook-test / PR #4 testing webhook',
    says: ['singhsourabh requested', 'PR #4 testing webhook', 'dev', 'master'],
    of: [
      'pull_request.requested_reviewers.0.login',
      'pull_request.requested_reviewers.1.login',
      'pull_request.requested_teams.0.name',
      'pull_request.requested_teams.1.name',
    ],
    links: ['pull_request.html_url'],
  },
  'github/check_run__completed.json': {
    topic: 'hello-world',
    says: ['success'],
    of: ['check_run.name', 'check_run.output.title'],
    links: ['check_run.html_url'],
  },
  'github/check_run__in_progress.json': { isSilent: true },
  'github/team__edited_privacy_secret.json': {
    topic: 'dvm-bitspilani',
    says: ['Hypro999 edited team Testing Team', 'secret', 'closed'],
    links: ['team.html_url'],
  },

  'gitlab/push_hook.json': {
    topic: 'my-awesome-project / tomek',
    branch: 'tomek',
    says: ['Tomasz Kolek pushed 2 commits to branch tomek', '66abd2d'],
    of: ['commits.0.message', 'commits.1.message'],
    links: ['commits.0.url'],
  },
  'gitlab/push_hook__push_local_branch_without_commits.json': {
    topic: 'my-awesome-project / changes',
    says: ['Eeshan Garg created branch changes'],
    links: ['https://gitlab.com/eeshangarg/my-awesome-project/-/tree/changes'],
  },
  'gitlab/issue_hook__issue_created_without_assignee.json': {
    topic: 'my-awesome-project / issue #1 Issue title',
    says: ['Tomasz Kolek opened issue #1 Issue title'],
    of: ['object_attributes.description', 'object_attributes.due_date'],
    links: ['object_attributes.url'],
  },
  'gitlab/issue_hook__issue_created_with_two_assignees.json': {
    topic: 'Zulip GitLab Test / issue #2 Zulip Test Issue 2',
    says: ['Adam Birds opened issue #2', 'Assignee'],
    of: ['assignees.0.name', 'assignees.1.name'],
    links: ['object_attributes.url'],
  },
  'gitlab/issue_hook__issue_created_with_three_assignees.json': {
    says: ['Adam Birds opened issue #2'],
    of: ['assignees.0.name', 'assignees.1.name', 'assignees.2.name'],
    links: ['object_attributes.url'],
  },
  'gitlab/issue_hook__confidential_issue_created_with_assignee.json': {
    topic: 'testing / issue #2 Testing',
    says: ['Joe Bloggs opened confidential issue #2 Testing'],
    of: ['assignees.0.name', 'object_attributes.description'],
    links: ['object_attributes.url'],
  },
  'gitlab/issue_hook__confidential_issue_created_with_hidden_comment_in_description.json': {
    says: ['Joe Bloggs opened confidential issue #', 'actually has a hidden comment in it!'],
    links: ['object_attributes.url'],
  },
  'gitlab/issue_hook__issue_opened_with_null_description.json': {
    topic: 'my-awesome-project / issue #7 Issue without description',
    says: ['Eeshan Garg opened issue #7 Issue without description'],
    links: ['object_attributes.url'],
  },
  'gitlab/issue_hook__confidential_issue_updated.json': {
    says: ['Joe Bloggs updated confidential issue #1 Testing', 'Testing Test'],
    links: ['object_attributes.url'],
  },
  'gitlab/issue_hook__confidential_issue_closed.json': {
    says: ['Joe Bloggs closed confidential issue #1 Testing Test'],
    links: ['object_attributes.url'],
  },
  'gitlab/issue_hook__confidential_issue_reopened.json': {
    says: ['Joe Bloggs reopened confidential issue #1 Testing Test'],
    links: ['object_attributes.url'],
  },
  'gitlab/note_hook__issue_note.json': {
    topic: 'testing-zulip-gitlab-integrat',
    says: ['Satyam Bansal commented on issue #1 Add more lines'],
    of: ['object_attributes.note'],
    links: ['object_attributes.url', 'issue.url'],
  },
  'gitlab/merge_request_hook__merge_request_created_with_assignee.json': {
    topic: 'my-awesome-project / MR #3 New Merge Request',
    says: ['Tomasz Kolek opened MR #3 New Merge Request', 'tomek', 'master', 'Assignee'],
    of: ['object_attributes.description', 'assignee.name'],
    links: ['object_attributes.url'],
  },
  'gitlab/merge_request_hook__merge_request_reopened.json': {
    topic: 'my-awesome-project / MR #1 Update the README with author',
    says: ['Eeshan Garg reopened MR #1', 'changes', 'feature'],
    links: ['object_attributes.url'],
  },
  'gitlab/merge_request_hook__merge_request_merged.json': {
    says: ['Tomasz Kolek merged MR #3 New Merge Request', 'tomek', 'master'],
    links: ['object_attributes.url'],
  },
  'gitlab/wiki_page_hook__wiki_page_edited.json': {
    topic: 'my-awesome-project',
    says: ['Tomasz Kolek updated wiki page how to'],
    links: ['object_attributes.url'],
  },
  'gitlab/build_succeeded.json': {
    topic: 'my-awesome-project / master',
    says: ['Job job_name', 'success', 'master', 'stage test'],
    links: ['repository.homepage'],
  },
  'gitlab/job_hook__build_created.json': {
    topic: 'gitlab_test / gitlab-script-trigger',
    says: ['Job test', 'created', 'gitlab-script-trigger'],
    links: ['repository.homepage'],
  },
  'gitlab/pipeline_hook__pipeline_succeeded_with_artifacts.json': {
    topic: 'onlysomeproject / test/links-in-zulip-pipeline-message',
    says: ['Pipeline #22668', 'success', 'cleanup:cleanup docker image', 'pages', '215 s'],
    of: ['commit.message', 'user.name'],
    links: ['https://gitlab.example.com/group1/onlysomeproject/-/pipelines/22668'],
  },
  'gitlab/pipeline_hook__pipeline_succeeded.json': {
    says: ['Pipeline #', 'success'],
    of: ['user.name', 'object_attributes.ref', 'builds.0.name'],
  },
  'gitlab/pipeline_hook__pipeline_pending.json': {
    says: ['Pipeline #', 'pending'],
    of: ['object_attributes.ref', 'builds.0.name'],
  },
  'gitlab/system_hook__merge_request_created_with_assignee.json': {
    says: ['Tomasz Kolek opened MR #3 New Merge Request'],
    links: ['object_attributes.url'],
  },
  'gitlab/system_hook__merge_request_merged.json': {
    says: ['Tomasz Kolek merged MR #3 New Merge Request'],
    links: ['object_attributes.url'],
  },
  'gitlab/repository_update.json': { isSilent: true },

  'gitea/pull_request__opened.json': {
    topic: 'test / PR #4 New pr',
    says: ['kostekIV opened PR #4 New pr', 'test-branch', 'master'],
    of: ['pull_request.body'],
    links: ['pull_request.html_url'],
  },
  'gitea/pull_request__edited.json': {
    topic: 'test / PR #5 test 2',
    says: ['kostekIV edited PR #5 test 2'],
    links: ['pull_request.html_url'],
  },
  'gitea/issues__opened.json': {
    says: ['kostekIV opened issue #'],
    of: ['issue.title', 'issue.body'],
    links: ['https://try.gitea.io/kostekIV/test/issues/3'],
  },
  'gitea/issues__closed.json': { says: ['kostekIV closed issue #'], of: ['issue.title'] },
  'gitea/issues__assigned.json': {
    says: ['kostekIV assigned issue #', 'Assignee'],
    of: ['issue.assignee.login'],
  },
  'gitea/issues__reopened.json': { says: ['kostekIV reopened issue #'], of: ['issue.title'] },
  'gogs/push__commits_multiple_committers.json': {
    topic: 'try-git / master',
    branch: 'master',
    says: ['john pushed 2 commits to branch master', 'John Doe (1)', 'Benjamin (1)', 'd8fce16'],
    of: ['commits.0.message'],
    links: ['commits.0.url', 'compare_url'],
  },
  'gogs/pull_request__closed.json': {
    topic: 'try-git / PR #1 Title Text for Pull Request',
    says: ['john closed PR #1', 'feature', 'master'],
    links: ['pull_request.html_url'],
  },
  'gogs/pull_request__reopened.json': { says: ['reopened PR #'], links: ['pull_request.html_url'] },
  'gogs/pull_request__edited.json': { says: ['edited PR #'], links: ['pull_request.html_url'] },
  'gogs/pull_request__assigned.json': {
    says: ['kostekIV assigned PR #2 Test', 'Assignee: kostekIV'],
    links: ['pull_request.html_url'],
  },
  'gogs/issues__closed.json': {
    topic: 'test / issue #3 New test issue',
    says: ['kostekIV closed issue #3 New test issue'],
    links: ['https://try.gogs.io/kostekIV/test/issues/3'],
  },
  'gogs/issue_comment__new.json': {
    says: ['kostekIV commented on issue #3'],
    of: ['comment.body'],
    links: ['comment.html_url'],
  },
  'gogs/issue_comment__edited.json': {
    says: ['kostekIV edited a comment on issue #3'],
    of: ['comment.body'],
    links: ['comment.html_url'],
  },

  'bitbucket2/push.json': {
    topic: 'Repository name / master',
    branch: 'master',
    says: ['Tomasz pushed 1 commit to branch master', '84b96ad', 'first commit'],
    links: ['push.changes.0.commits.0.links.html.href'],
  },
  'bitbucket2/force_push.json': {
    topic: 'Repository name / master',
    branch: 'master',
    says: ['Tomasz force-pushed', 'branch master', '25f93d2'],
    links: ['push.changes.0.commits.0.links.html.href'],
  },
  'bitbucket2/push_one_tag.json': {
    topic: 'Repository name',
    says: ['Tomasz pushed tag a'],
    links: ['push.changes.0.new.links.html.href'],
  },
  'bitbucket2/push_more_than_one_tag.json': {
    topic: ['Repository name', 'Repository name'],
    says: ['Tomasz pushed tag a', 'Tomasz pushed tag b'],
    links: ['push.changes.0.new.links.html.href', 'push.changes.1.new.links.html.href'],
  },
  'bitbucket2/push_remove_tag.json': {
    topic: 'Repository name',
    says: ['Tomasz removed tag a'],
  },
  'bitbucket2/commit_status_changed.json': {
    topic: 'Repository name',
    says: ['Unit Tests (Python)', 'successful', '9fec847'],
    of: ['commit_status.description'],
    links: ['commit_status.url'],
  },
  'bitbucket2/issue_updated.json': {
    topic: 'Repository name / issue #1 Bug',
    says: ['Tomasz updated issue #1 Bug', 'major', 'new', 'Such a bug more description'],
    links: ['issue.links.html.href'],
  },
  'bitbucket2/issue_commented.json': {
    topic: 'Repository name / issue #1 Bug',
    says: ['Tomasz commented on issue #1 Bug'],
    of: ['comment.content.raw'],
    links: ['comment.links.html.href', 'issue.links.html.href'],
  },
  'bitbucket2/repo_updated.json': {
    topic: 'new-name',
    says: ['eeshangarg changed', 'new-name', 'test-repo', 'Random description.', 'python'],
    links: ['repository.links.html.href'],
  },

  'bitbucket3/commit_comment_deleted.json': {
    topic: 'sandbox',
    says: ['Hemanth V. Alluri deleted a comment on', '508d1b6'],
    of: ['comment.text'],
    links: [
      'http://139.59.64.214:7990/projects/SBOX/repos/sandbox/commits/508d1b67f1f8f3a25f543a030a7a178894aa9907',
    ],
  },
  'bitbucket3/repo_forked.json': {
    says: ['Hemanth V. Alluri forked', 'sandbox', 'sandbox fork'],
    links: ['repository.origin.links.self.0.href'],
  },
  'bitbucket3/repo_modified.json': {
    says: ['Hemanth V. Alluri changed', 'sandbox v2'],
    of: ['old.name', 'new.name'],
    links: ['new.links.self.0.href'],
  },
  'bitbucket3/repo_push_add_tag.json': {
    topic: 'sandbox',
    says: ['Hemanth V. Alluri pushed tag newtag', '9b5565b'],
  },
  'bitbucket3/repo_push_delete_branch.json': {
    topic: 'sandbox / branch2',
    says: ['Hemanth V. Alluri removed branch branch2'],
  },
  'bitbucket3/pull_request_opened_without_description.json': {
    says: ['opened PR #'],
    of: [
      'actor.displayName',
      'pullRequest.title',
      'pullRequest.fromRef.displayId',
      'pullRequest.toRef.displayId',
    ],
    links: ['pullRequest.links.self.0.href'],
  },
  'bitbucket3/pull_request_opened_with_two_reviewers.json': {
    topic: 'sandbox / PR #5 Add Notes Feature',
    says: ['Hemanth V. Alluri opened PR #5 Add Notes Feature', 'Reviewer'],
    of: ['pullRequest.reviewers.0.user.displayName', 'pullRequest.reviewers.1.user.displayName'],
    links: ['pullRequest.links.self.0.href'],
  },
  'bitbucket3/pull_request_declined.json': {
    says: ['declined PR #'],
    of: ['actor.displayName', 'pullRequest.title'],
    links: ['pullRequest.links.self.0.href'],
  },
  'bitbucket3/pull_request_merged.json': {
    topic: 'sandbox / PR #6 sample_file: Add sample_file.txt.',
    says: ['Katsura Kotarou merged PR #6', 'master'],
    links: ['pullRequest.links.self.0.href'],
  },
  'bitbucket3/pull_request_add_two_reviewers.json': {
    topic: 'sandbox / PR #1 Branch1',
    says: ['Hemanth V. Alluri changed the reviewers of PR #1', 'Added'],
    of: ['addedReviewers.0.displayName', 'addedReviewers.1.displayName'],
    links: ['pullRequest.links.self.0.href'],
  },
  'bitbucket3/pull_request_comment_added.json': {
    says: ['commented on PR #'],
    of: ['actor.displayName', 'comment.text'],
    links: ['pullRequest.links.self.0.href'],
  },
  'bitbucket3/pull_request_comment_edited.json': {
    says: ['Katsura Kotarou edited a comment on PR #6'],
    of: ['comment.text'],
    links: ['pullRequest.links.self.0.href'],
  },

  'azuredevops/code_push__multiple_committers.json': {
    topic: 'test-zulip / main',
    branch: 'main',
    says: ['Yuro Itaki pushed 2 commits to branch main', 'Itachi Sensei (1)', '0929a34'],
    of: ['resource.commits.0.comment', 'resource.commits.1.comment'],
    links: [
      'https://dev.azure.com/ttchong/test-zulip/_git/test-zulip/commit/0929a3404b39f6e39076a640779b2c1c961e19b5',
    ],
  },
  'azuredevops/code_pull_request__opened_without_description.json': {
    topic: 'test-zulip / PR #2 Raised 2nd PR!',
    says: ['Yuro Itaki created PR #2 Raised 2nd PR!', 'stg', 'main'],
    links: ['https://dev.azure.com/ttchong/test-zulip/_git/test-zulip/pullrequest/2'],
  },
  'azuredevops/code_pull_request__merged.json': {
    topic: 'test-zulip / PR #1 Add PR request',
    says: ['Yuro Itaki merged PR #1 Add PR request', 'dev', 'main'],
    links: ['https://dev.azure.com/ttchong/test-zulip/_git/test-zulip/pullrequest/1'],
  },
  'azuredevops/code_pull_request__updated.json': {
    topic: 'test-zulip / PR #2 Raised 2nd PR!',
    says: ['Yuro Itaki updated PR #2 Raised 2nd PR!', 'stg', 'main'],
    of: ['resource.description'],
    links: ['https://dev.azure.com/ttchong/test-zulip/_git/test-zulip/pullrequest/2'],
  },
};
