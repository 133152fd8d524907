import * as forge from '#service/webhooks/common/forge.ts';
import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import { bold, link, md, words } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { type Scheme, signedBody } from '#service/webhooks/common/signatures.ts';
import { comments, items, loginOf, repoOf } from './github-items.ts';

function push(p: Payload): Message {
  const repo = repoOf(p);
  const actor = p.has('pusher') ? loginOf(p, 'pusher') : loginOf(p, 'sender');
  const { isTag, name } = forge.refOf(p.text('ref'));
  const isRemoved = forge.isNothing(p.maybeText('after'));
  const home = p.maybeText('repository.html_url');
  if (isTag) {
    const url = home === undefined ? undefined : `${home}/src/tag/${forge.refInUrl(name)}`;
    return forge.tagNote({ repo, actor, tag: name, url, isRemoved });
  }
  const isNew = forge.isNothing(p.maybeText('before'));
  return forge.pushNote({
    repo,
    actor,
    branch: name,
    branchUrl: home === undefined ? undefined : `${home}/src/branch/${forge.refInUrl(name)}`,
    compareUrl: p.maybeText('compare_url'),
    commits: p.maybeList('commits').map((commit) => ({
      id: commit.text('id'),
      message: commit.text('message'),
      url: commit.maybeText('url'),
      author: commit.maybeText('author.name') ?? commit.maybeText('author.username'),
    })),
    total: p.maybeNumber('total_commits'),
    kind: isRemoved ? 'removed' : isNew ? 'created' : 'pushed',
  });
}

const ref =
  (verb: string) =>
  (p: Payload): Message =>
    note({
      topic: repoOf(p),
      line: md`${bold(loginOf(p, 'sender'))} ${verb} ${p.maybeText('ref_type') ?? 'branch'} ${bold(forge.refOf(p.text('ref')).name)}`,
    });

const release = (p: Payload): Message => {
  const tag = p.text('release.tag_name');
  const home = p.maybeText('repository.html_url');
  const url =
    p.maybeText('release.html_url') ?? (home && `${home}/releases/tag/${forge.refInUrl(tag)}`);
  return note({
    topic: repoOf(p),
    line: md`${bold(loginOf(p, 'sender'))} ${words(p.text('action'))} release ${link(p.maybeText('release.name') ?? tag, url)}`,
    values: [['Tag', tag]],
    below: [forge.body(p.maybeText('release.body') ?? p.maybeText('release.note'))],
  });
};

const fork = (p: Payload): Message =>
  note({
    topic: p.text('forkee.name'),
    line: md`${bold(loginOf(p, 'sender'))} forked ${p.text('forkee.full_name')} as ${link(p.text('repository.full_name'), p.maybeText('repository.html_url'))}`,
  });

const repository = (p: Payload): Message =>
  note({
    topic: repoOf(p),
    line: md`${bold(loginOf(p, 'sender'))} ${p.text('action')} repository ${link(p.text('repository.full_name'), p.maybeText('repository.html_url'))}`,
  });

const events: Declaration['events'] = {
  push,
  create: ref('created'),
  delete: ref('removed'),
  ...items,
  ...comments,
  // Reviews come as events of their own kinds.
  'pull_request_*': items['pull_request'] ?? push,
  release,
  fork,
  repository,
};

const signature: Scheme = signedBody(
  { header: 'x-gitea-signature' },
  { header: 'x-gogs-signature' },
  { header: 'x-forgejo-signature' },
  { header: 'x-hub-signature-256', prefix: 'sha256=' },
);

const forgeLike = (name: string, title: string): Declaration => ({
  name,
  title,
  about: 'Pushes, pull requests, issues, comments and releases of repositories.',
  subject: 'code',
  steps: [
    `Open the repository or organization on ${title}, then Settings → Webhooks → Add webhook → ${title}.`,
    'Paste the address into Target URL; POST and application/json are right.',
    'If you set a secret here, enter the same one into Secret.',
    'Choose the events, add the webhook, and press Test delivery at it.',
  ],
  event: { headers: ['X-Forgejo-Event', 'X-Gitea-Event', 'X-Gogs-Event'] },
  events,
  silent: ['package', 'wiki'],
  signature,
});

export const gitea = forgeLike('gitea', 'Gitea');
export const gogs = forgeLike('gogs', 'Gogs');
export const forgejo = forgeLike('forgejo', 'Forgejo');
