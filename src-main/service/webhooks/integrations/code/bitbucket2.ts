import * as forge from '#service/webhooks/common/forge.ts';
import {
  type Declaration,
  type Message,
  note,
  type Outcome,
} from '#service/webhooks/common/integration.ts';
import { bold, capital, link, md, words, wordsOfHtml } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

const repoOf = (p: Payload): string => p.text('repository.name');
const htmlOf = (p: Payload, path: string): string | undefined =>
  p.maybeText(`${path}.links.html.href`);

const nameOf = (user: Payload): string =>
  user.maybeText('display_name') ?? user.maybeText('nickname') ?? user.text('username');
const actorOf = (p: Payload): string => nameOf(p.object('actor'));

/** Older servers send HTML alone. */
const textOf = (p: Payload, path: string): string | undefined =>
  p.maybeText(`${path}.raw`) ?? wordsOfHtml(p.maybeText(`${path}.html`) ?? '');

/** `Tomasz Kolek <tomasz@example.com>` */
const authorOf = (commit: Payload): string | undefined =>
  commit.maybeText('author.user.display_name') ??
  commit
    .maybeText('author.raw')
    ?.replace(/<[^<>]*>\s*$/, '')
    .trimEnd();

function change(p: Payload, each: Payload): Message {
  const ref = each.maybeObject('new') ?? each.object('old');
  const isRemoved = !each.has('new');
  const name = ref.text('name');
  const url = ref.maybeText('links.html.href');
  const common = { repo: repoOf(p), actor: actorOf(p) };
  if (ref.text('type') === 'tag') return forge.tagNote({ ...common, tag: name, url, isRemoved });
  const kind = each.flag('forced') ? 'forced' : each.flag('created') ? 'created' : 'pushed';
  return forge.pushNote({
    ...common,
    branch: name,
    branchUrl: url,
    compareUrl: each.maybeText('links.html.href'),
    commits: each.maybeList('commits').map((commit) => ({
      id: commit.text('hash'),
      message: commit.text('message'),
      url: commit.maybeText('links.html.href'),
      author: authorOf(commit),
    })),
    kind: isRemoved ? 'removed' : kind,
  });
}

const push = (p: Payload): Outcome => p.list('push.changes').map((each) => change(p, each));

const pullOf = (p: Payload): forge.Item => ({
  repo: repoOf(p),
  kind: 'PR',
  number: p.scalar('pullrequest.id'),
  title: p.text('pullrequest.title'),
  url: htmlOf(p, 'pullrequest'),
});

const namesOf = (p: Payload, path: string): readonly string[] => p.maybeList(path).map(nameOf);

const pull =
  (verb: string, isBodyShown = false) =>
  (p: Payload): Message =>
    forge.itemNote(pullOf(p), {
      actor: actorOf(p),
      verb,
      values: [
        forge.branches(
          p.text('pullrequest.source.branch.name'),
          p.text('pullrequest.destination.branch.name'),
        ),
        forge.several('Reviewer', namesOf(p, 'pullrequest.reviewers')),
        forge.author(
          actorOf(p),
          p.has('pullrequest.author') ? nameOf(p.object('pullrequest.author')) : undefined,
        ),
        ['Reason', p.maybeText('pullrequest.reason')],
      ],
      body: isBodyShown ? p.maybeText('pullrequest.description') : undefined,
    });

const commentOf = (p: Payload, action: string): forge.Comment => ({
  actor: actorOf(p),
  action,
  url: htmlOf(p, 'comment'),
  text: textOf(p, 'comment.content'),
  values: [['At', p.maybeText('comment.inline.path')]],
});

const pullComment =
  (action: string) =>
  (p: Payload): Message =>
    forge.commentNote(pullOf(p), commentOf(p, action));

const issueOf = (p: Payload): forge.Item => ({
  repo: repoOf(p),
  kind: 'issue',
  number: p.scalar('issue.id'),
  title: p.text('issue.title'),
  url: htmlOf(p, 'issue'),
});

const issue =
  (verb: string) =>
  (p: Payload): Message =>
    forge.itemNote(issueOf(p), {
      actor: actorOf(p),
      verb,
      values: [
        ['State', p.maybeText('issue.state')],
        ['Priority', p.maybeText('issue.priority')],
        ['Kind', p.maybeText('issue.kind')],
        forge.several(
          'Assignee',
          p.has('issue.assignee') ? [nameOf(p.object('issue.assignee'))] : [],
        ),
      ],
      body: verb === 'opened' || p.has('changes.content') ? textOf(p, 'issue.content') : undefined,
    });

const issueComment = (p: Payload): Message =>
  forge.commentNote(issueOf(p), commentOf(p, 'created'));

const commitStatus = (p: Payload): Message => {
  const url = p.maybeText('commit_status.links.commit.href');
  const sha = url?.split('/').pop();
  return forge.buildNote({
    topic: repoOf(p),
    name: p.maybeText('commit_status.name') ?? p.text('commit_status.key'),
    url: p.maybeText('commit_status.url'),
    status: words(p.text('commit_status.state')).toLowerCase(),
    branch: p.maybeText('commit_status.refname'),
    values: [
      ['Commit', sha === undefined ? undefined : forge.commitLink(sha, url)],
      ['Description', p.maybeText('commit_status.description')],
      ['By', p.has('actor') ? actorOf(p) : undefined],
    ],
  });
};

const commitComment = (p: Payload): Message => {
  const commit = forge.commitLink(p.text('commit.hash'), htmlOf(p, 'commit'));
  return forge.commentOn(repoOf(p), md`commit ${commit}`, commentOf(p, 'created'));
};

const CHANGES = ['name', 'full_name', 'website', 'language', 'description'];

const repoUpdated = (p: Payload): Message =>
  note({
    topic: repoOf(p),
    line: md`${bold(actorOf(p))} changed repository ${link(p.text('repository.full_name'), htmlOf(p, 'repository'))}`,
    values: CHANGES.filter((key) => p.has(`changes.${key}`)).map((key) => {
      const before = p.maybeText(`changes.${key}.old`) ?? 'empty';
      return [capital(words(key)), md`${p.maybeText(`changes.${key}.new`) ?? ''} (was ${before})`];
    }),
  });

const fork = (p: Payload): Message =>
  note({
    topic: repoOf(p),
    line: md`${bold(actorOf(p))} forked ${repoOf(p)} as ${link(p.text('fork.full_name'), htmlOf(p, 'fork'))}`,
  });

export const bitbucket2: Declaration = {
  name: 'bitbucket2',
  title: 'Bitbucket Cloud',
  about: 'Pushes, pull requests, issues, comments and build results of repositories.',
  subject: 'code',
  steps: [
    'Open the repository on Bitbucket, then Repository settings → Webhooks → Add webhook.',
    'Give it a title and paste the address into URL.',
    'If you set a secret here, enter the same one into Secret.',
    'Choose the triggers and save.',
  ],
  event: { headers: ['X-Event-Key'] },
  events: {
    'repo:push': push,
    'repo:fork': fork,
    'repo:updated': repoUpdated,
    'repo:commit_comment_created': commitComment,
    'repo:commit_status_created': commitStatus,
    'repo:commit_status_updated': commitStatus,
    'issue:created': issue('opened'),
    'issue:updated': issue('updated'),
    'issue:comment_created': issueComment,
    'pullrequest:created': pull('created', true),
    'pullrequest:updated': pull('updated', true),
    'pullrequest:approved': pull('approved'),
    'pullrequest:unapproved': pull('withdrew the approval of'),
    'pullrequest:changes_request_created': pull('requested changes to'),
    'pullrequest:changes_request_removed': pull('withdrew the request for changes to'),
    'pullrequest:fulfilled': pull('merged'),
    'pullrequest:rejected': pull('rejected'),
    'pullrequest:comment_created': pullComment('created'),
    'pullrequest:comment_updated': pullComment('edited'),
    'pullrequest:comment_deleted': pullComment('deleted'),
  },
  silent: ['repo:transfer', 'repo:imported'],
  signature: signedBody({ header: 'x-hub-signature', prefix: 'sha256=' }),
};
