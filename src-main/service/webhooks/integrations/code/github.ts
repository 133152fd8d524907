import * as forge from '#service/webhooks/common/forge.ts';
import {
  confirmation,
  type Declaration,
  type Message,
  note,
  type Outcome,
} from '#service/webhooks/common/integration.ts';
import { bold, capital, enumerate, link, md, words } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';
import { comments, items, repoOf } from './github-items.ts';

const actorOf = (p: Payload): string => p.text('sender.login');

function commitsOf(p: Payload, actor: string): readonly forge.Commit[] {
  const commits = p.maybeList('commits');
  const names = new Set(commits.map((commit) => commit.maybeText('author.name')));
  const isOwn =
    names.size === 1 && commits.every((commit) => commit.maybeText('author.username') === actor);
  return commits.map((commit) => ({
    id: commit.text('id'),
    message: commit.text('message'),
    url: commit.maybeText('url'),
    author: isOwn ? undefined : commit.maybeText('author.name'),
  }));
}

/** Branches that GitHub makes by itself, to try what it is about to merge. */
const isOfMergeQueue = (branch: string): boolean => branch.startsWith('gh-readonly-queue/');

function push(p: Payload): Outcome {
  const repo = repoOf(p);
  const actor = p.maybeText('pusher.name') ?? actorOf(p);
  const { isTag, name } = forge.refOf(p.text('ref'));
  if (isOfMergeQueue(name)) return null;
  const isRemoved = p.flag('deleted');
  const compareUrl = p.maybeText('compare');
  if (isTag) return forge.tagNote({ repo, actor, tag: name, url: compareUrl, isRemoved });
  const kind = isRemoved
    ? 'removed'
    : p.flag('created')
      ? 'created'
      : p.flag('forced')
        ? 'forced'
        : 'pushed';
  const home = p.maybeText('repository.html_url') ?? p.maybeText('repository.url');
  return forge.pushNote({
    repo,
    actor,
    branch: name,
    branchUrl: home === undefined ? undefined : `${home}/tree/${forge.refInUrl(name)}`,
    compareUrl,
    commits: commitsOf(p, actor),
    kind,
  });
}

/** A branch or tag that came or went: a push tells the same of branches, and with commits. */
function ref(verb: 'created' | 'removed') {
  return (p: Payload): Outcome =>
    isOfMergeQueue(p.text('ref'))
      ? null
      : note({
          topic: repoOf(p),
          line: md`${bold(actorOf(p))} ${verb} ${p.text('ref_type')} ${bold(p.text('ref'))}`,
        });
}

const release = (p: Payload): Outcome => {
  const name = p.maybeText('release.name') ?? p.text('release.tag_name');
  return note({
    topic: repoOf(p),
    line: md`${bold(actorOf(p))} ${words(p.text('action'))} release ${link(name, p.maybeText('release.html_url'))}`,
    values: [['Tag', p.maybeText('release.tag_name')]],
    below: [forge.body(p.maybeText('release.body'))],
  });
};

const workflowRun = (p: Payload): Outcome =>
  p.text('action') !== 'completed'
    ? null
    : forge.buildNote({
        topic: repoOf(p),
        name: `Workflow ${p.text('workflow_run.name')}`,
        url: p.maybeText('workflow_run.html_url'),
        status: words(p.maybeText('workflow_run.conclusion') ?? 'completed'),
        branch: p.maybeText('workflow_run.head_branch'),
        values: [['By', p.maybeText('workflow_run.actor.login') ?? p.maybeText('sender.login')]],
      });

const checkRun = (p: Payload): Outcome =>
  p.text('check_run.status') !== 'completed'
    ? null
    : forge.buildNote({
        topic: repoOf(p),
        name: `Check ${p.text('check_run.name')}`,
        url: p.maybeText('check_run.html_url'),
        status: words(p.maybeText('check_run.conclusion') ?? 'completed'),
        branch: p.maybeText('check_run.check_suite.head_branch'),
        values: [
          ['Result', p.maybeText('check_run.output.title')],
          ['Summary', p.maybeText('check_run.output.summary')],
          ['By', p.maybeText('check_run.app.name') ?? p.maybeText('sender.login')],
        ],
      });

const status = (p: Payload): Outcome => {
  const state = p.text('state');
  if (state === 'pending') return null;
  const sha = p.text('sha');
  const commit = p.maybeText('commit.commit.message')?.split('\n', 1)[0] ?? '';
  return forge.buildNote({
    topic: repoOf(p),
    name: p.text('context'),
    url: p.maybeText('target_url'),
    status: state,
    values: [
      ['Commit', md`${forge.commitLink(sha, p.maybeText('commit.html_url'))} ${commit}`],
      forge.several(
        'Branch',
        p.maybeList('branches').map((branch) => branch.text('name')),
      ),
      ['Description', p.maybeText('description')],
      ['By', p.maybeText('sender.login')],
    ],
  });
};

const deployment = (p: Payload): Outcome =>
  forge.buildNote({
    topic: repoOf(p),
    name: `Deployment to ${p.text('deployment.environment')}`,
    url: p.maybeText('deployment_status.target_url'),
    status: words(p.text('deployment_status.state')),
    branch: p.maybeText('deployment.ref'),
    values: [
      ['Description', p.maybeText('deployment_status.description')],
      ['By', p.maybeText('sender.login')],
    ],
  });

const fork = (p: Payload): Message =>
  note({
    topic: repoOf(p),
    line: md`${bold(actorOf(p))} forked ${repoOf(p)} as ${link(p.text('forkee.full_name'), p.maybeText('forkee.html_url'))}`,
  });

const star = (p: Payload): Message => {
  const verb = p.text('action') === 'deleted' ? 'took the star from' : 'starred';
  const repo = link(p.text('repository.full_name'), p.maybeText('repository.html_url'));
  return note({ topic: repoOf(p), line: md`${bold(actorOf(p))} ${verb} ${repo}` });
};

const membership = (p: Payload): Message => {
  const member = link(p.text('member.login'), p.maybeText('member.html_url'));
  const isAdded = p.text('action') === 'added';
  const team = md`team ${bold(p.text('team.name'))}`;
  return note({
    topic: p.text('organization.login'),
    line: md`${bold(actorOf(p))} ${isAdded ? md`added ${member} to` : md`removed ${member} from`} ${team}`,
  });
};

const team = (p: Payload): Message => {
  const changed = p.has('changes') ? p.keys('changes') : [];
  return note({
    topic: p.text('organization.login'),
    line: md`${bold(actorOf(p))} ${words(p.text('action'))} team ${link(p.text('team.name'), p.maybeText('team.html_url'))}`,
    values: [
      ...changed
        .filter((key) => /^[a-z_]+$/.test(key) && p.has(`changes.${key}.from`))
        .map((key) => {
          const before = p.maybeScalar(`changes.${key}.from`) ?? '';
          return [
            capital(words(key)),
            md`${p.maybeScalar(`team.${key}`) ?? ''} (was ${before})`,
          ] as const;
        }),
      ['Repository', p.maybeText('repository.full_name')],
    ],
  });
};

const wiki = (p: Payload): Message =>
  note({
    topic: repoOf(p),
    line: md`${bold(actorOf(p))} changed the wiki: ${enumerate(
      p
        .list('pages')
        .map(
          (page) =>
            md`${page.text('action')} ${link(page.text('title'), page.maybeText('html_url'))}`,
        ),
    )}`,
  });

const repository = (p: Payload): Message => {
  const repo = link(p.text('repository.full_name'), p.maybeText('repository.html_url'));
  return note({
    topic: repoOf(p),
    line: md`${bold(actorOf(p))} ${words(p.maybeText('action') ?? 'made public')} repository ${repo}`,
  });
};

const ping = (p: Payload): Message =>
  confirmation(
    'GitHub',
    p.maybeText('repository.name') ?? p.maybeText('organization.login') ?? 'GitHub',
    p.has('zen') ? md`${p.text('zen')}` : undefined,
  );

export const github: Declaration = {
  name: 'github',
  title: 'GitHub',
  about: 'Pushes, pull requests, issues, reviews, releases and checks of repositories.',
  subject: 'code',
  steps: [
    'Open the repository or the organization on GitHub, then Settings → Webhooks → Add webhook.',
    'Paste the address into Payload URL and choose application/json as Content type.',
    'If you set a secret here, enter the same one into Secret.',
    'Choose the events, or everything, and press Add webhook: GitHub sends a ping at once.',
  ],
  event: { headers: ['X-GitHub-Event'] },
  events: {
    push,
    ...items,
    ...comments,
    create: (p) => (p.text('ref_type') === 'branch' ? ref('created')(p) : null),
    delete: (p) => (p.text('ref_type') === 'branch' ? ref('removed')(p) : null),
    release,
    workflow_run: workflowRun,
    check_run: checkRun,
    status,
    deployment_status: deployment,
    fork,
    star,
    membership,
    team,
    gollum: wiki,
    repository,
    public: repository,
    ping,
  },
  silent: [
    'check_suite',
    'deployment',
    'label',
    'member',
    'merge_group',
    'meta',
    'milestone',
    'page_build',
    'pull_request_review_thread',
    'watch',
    'workflow_job',
  ],
  signature: signedBody({ header: 'x-hub-signature-256', prefix: 'sha256=' }),
};
