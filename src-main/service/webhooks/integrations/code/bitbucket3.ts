import * as forge from '#service/webhooks/common/forge.ts';
import {
  confirmation,
  type Declaration,
  type Message,
  note,
  type Outcome,
} from '#service/webhooks/common/integration.ts';
import { bold, link, md } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

const nameOf = (user: Payload): string => user.maybeText('displayName') ?? user.text('name');
const actorOf = (p: Payload): string => nameOf(p.object('actor'));
const selfOf = (p: Payload, path: string): string | undefined =>
  p.maybeText(`${path}.links.self.0.href`);

/** The pages of a repository lie beside the one that shows its files. */
const pageOf = (p: Payload, path: string): string | undefined => {
  const files = selfOf(p, 'repository');
  return files === undefined ? undefined : files.replace(/\/browse$/, '') + path;
};

function change(p: Payload, each: Payload): Message {
  const repo = p.text('repository.name');
  const actor = actorOf(p);
  const name = each.text('ref.displayId');
  const type = each.text('type');
  const to = each.text('toHash');
  const commitUrl = pageOf(p, `/commits/${to}`);
  if (each.text('ref.type') === 'TAG') {
    const isRemoved = type === 'DELETE';
    const commit = isRemoved ? undefined : forge.commitLink(to, commitUrl);
    return forge.tagNote({ repo, actor, tag: name, url: commitUrl, isRemoved, commit });
  }
  if (type === 'UPDATE') {
    return note({
      topic: `${repo} / ${name}`,
      line: md`${bold(actor)} pushed to branch ${link(name, pageOf(p, `/commits?until=${forge.refInUrl(name)}`))}`,
      values: [['Head', forge.commitLink(to, commitUrl)]],
      branch: name,
    });
  }
  return forge.pushNote({
    repo,
    actor,
    branch: name,
    branchUrl: pageOf(p, `/commits?until=${forge.refInUrl(name)}`),
    compareUrl: undefined,
    commits: [],
    kind: type === 'DELETE' ? 'removed' : 'created',
  });
}

/** Later versions send the commits as well. */
const push = (p: Payload): Outcome => {
  const commits = p.maybeList('commits').map((commit) => ({
    id: commit.text('id'),
    message: commit.text('message'),
    url: pageOf(p, `/commits/${commit.text('id')}`),
    author: commit.maybeText('author.name'),
  }));
  const changes = p.list('changes');
  const [only] = changes;
  if (only === undefined || changes.length > 1 || commits.length === 0) {
    return changes.map((each) => change(p, each));
  }
  const name = only.text('ref.displayId');
  return forge.pushNote({
    repo: p.text('repository.name'),
    actor: actorOf(p),
    branch: name,
    branchUrl: pageOf(p, `/commits?until=${forge.refInUrl(name)}`),
    compareUrl: undefined,
    commits,
    kind: 'pushed',
  });
};

const pullOf = (p: Payload): forge.Item => ({
  repo: p.text('pullRequest.toRef.repository.name'),
  kind: 'PR',
  number: p.scalar('pullRequest.id'),
  title: p.text('pullRequest.title'),
  url: selfOf(p, 'pullRequest'),
});

const reviewersOf = (p: Payload): readonly string[] =>
  p.maybeList('pullRequest.reviewers').map((reviewer) => nameOf(reviewer.object('user')));

const pull =
  (verb: string, isBodyShown = false) =>
  (p: Payload): Message =>
    forge.itemNote(pullOf(p), {
      actor: actorOf(p),
      verb,
      values: [
        forge.branches(
          p.text('pullRequest.fromRef.displayId'),
          p.text('pullRequest.toRef.displayId'),
        ),
        ['Former title', p.maybeText('previousTitle')],
        forge.author(
          actorOf(p),
          p.has('pullRequest.author.user')
            ? nameOf(p.object('pullRequest.author.user'))
            : undefined,
        ),
        forge.several('Reviewer', reviewersOf(p)),
      ],
      body: isBodyShown ? p.maybeText('pullRequest.description') : undefined,
    });

const reviewers = (p: Payload): Message =>
  forge.itemNote(pullOf(p), {
    actor: actorOf(p),
    verb: 'changed the reviewers of',
    values: [
      ['Added', forge.several('', p.maybeList('addedReviewers').map(nameOf))[1]],
      ['Removed', forge.several('', p.maybeList('removedReviewers').map(nameOf))[1]],
    ],
  });

const commentOf = (p: Payload, action: string): forge.Comment => ({
  actor: actorOf(p),
  action,
  url: selfOf(p, 'pullRequest'),
  text: p.text('comment.text'),
});

const pullComment =
  (action: string) =>
  (p: Payload): Message =>
    forge.commentNote(pullOf(p), commentOf(p, action));

const commitComment =
  (action: string) =>
  (p: Payload): Message => {
    const sha = p.text('commit');
    const commit = forge.commitLink(sha, pageOf(p, `/commits/${sha}`));
    return forge.commentOn(p.text('repository.name'), md`commit ${commit}`, {
      ...commentOf(p, action),
      url: pageOf(p, `/commits/${sha}`),
    });
  };

const forked = (p: Payload): Message =>
  note({
    topic: p.maybeText('repository.origin.name') ?? p.text('repository.name'),
    line: md`${bold(actorOf(p))} forked ${link(p.maybeText('repository.origin.name') ?? 'a repository', selfOf(p, 'repository.origin'))} as ${link(p.text('repository.name'), selfOf(p, 'repository'))}`,
  });

const modified = (p: Payload): Message =>
  note({
    topic: p.text('new.name'),
    line: md`${bold(actorOf(p))} changed repository ${link(p.text('new.name'), selfOf(p, 'new'))}`,
    values: [['Former name', p.text('old.name')]],
  });

export const bitbucket3: Declaration = {
  name: 'bitbucket3',
  title: 'Bitbucket Server',
  about: 'Pushes, pull requests, reviews and comments of repositories of a server or data center.',
  subject: 'code',
  steps: [
    'Open the repository or project, then Repository settings → Webhooks → Create webhook.',
    'Give it a name and paste the address into URL.',
    'If you set a secret here, enter the same one into Secret.',
    'Choose the events, press Test connection, then Create.',
  ],
  event: { headers: ['X-Event-Key'] },
  events: {
    'repo:refs_changed': push,
    'repo:forked': forked,
    'repo:modified': modified,
    'repo:comment:added': commitComment('created'),
    'repo:comment:edited': commitComment('edited'),
    'repo:comment:deleted': commitComment('deleted'),
    'pr:opened': pull('opened', true),
    'pr:modified': pull('modified', true),
    'pr:from_ref_updated': pull('updated'),
    'pr:merged': pull('merged'),
    'pr:declined': pull('declined'),
    'pr:deleted': pull('deleted'),
    'pr:reviewer:approved': pull('approved'),
    'pr:reviewer:unapproved': pull('withdrew the approval of'),
    'pr:reviewer:needs_work': pull('requested changes to'),
    'pr:reviewer:changes_requested': pull('requested changes to'),
    'pr:reviewer:updated': reviewers,
    'pr:comment:added': pullComment('created'),
    'pr:comment:edited': pullComment('edited'),
    'pr:comment:deleted': pullComment('deleted'),
    'diagnostics:ping': () => confirmation('Bitbucket Server', 'Bitbucket'),
  },
  signature: signedBody({ header: 'x-hub-signature', prefix: 'sha256=' }),
};
