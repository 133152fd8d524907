import * as forge from '#service/webhooks/common/forge.ts';
import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import { capital, link, md, wordsOfHtml } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

const repoOf = (p: Payload): string => p.text('resource.repository.name');
const branchOf = (p: Payload, path: string): string => forge.refOf(p.text(path)).name;

function push(p: Payload): Message {
  const update = p.object('resource.refUpdates.0');
  const { isTag, name } = forge.refOf(update.text('name'));
  const home = p.maybeText('resource.repository.remoteUrl');
  const isRemoved = forge.isNothing(update.text('newObjectId'));
  const common = { repo: repoOf(p), actor: p.text('resource.pushedBy.displayName') };
  const page = (path: string): string | undefined => (home === undefined ? undefined : home + path);
  if (isTag)
    return forge.tagNote({
      ...common,
      tag: name,
      url: page(`?version=GT${forge.refInUrl(name)}`),
      isRemoved,
    });
  const isNew = forge.isNothing(update.text('oldObjectId'));
  return forge.pushNote({
    ...common,
    branch: name,
    branchUrl: page(`?version=GB${forge.refInUrl(name)}`),
    compareUrl: page(
      `/branchCompare?baseVersion=GC${update.text('oldObjectId')}&targetVersion=GC${update.text('newObjectId')}`,
    ),
    commits: p.maybeList('resource.commits').map((commit) => ({
      id: commit.text('commitId'),
      message: commit.text('comment'),
      url: page(`/commit/${commit.text('commitId')}`),
      author: commit.maybeText('author.name'),
    })),
    kind: isRemoved ? 'removed' : isNew ? 'created' : 'pushed',
  });
}

/** The address of the page stands only in the text that people read. */
const linkOf = (p: Payload): string | undefined =>
  p.maybeText('resource._links.web.href') ??
  /href="([^"<>]{1,1000})"/.exec((p.maybeText('message.html') ?? '').slice(0, 20_000))?.[1];

const pull =
  (verb: string, actorPath: string) =>
  (p: Payload): Message => {
    const item: forge.Item = {
      repo: repoOf(p),
      kind: 'PR',
      number: p.scalar('resource.pullRequestId'),
      title: p.text('resource.title'),
      url: linkOf(p),
    };
    const actor = p.maybeText(actorPath) ?? p.text('resource.createdBy.displayName');
    return forge.itemNote(item, {
      actor,
      verb,
      values: [
        forge.branches(
          branchOf(p, 'resource.sourceRefName'),
          branchOf(p, 'resource.targetRefName'),
        ),
        forge.author(actor, p.maybeText('resource.createdBy.displayName')),
        forge.several(
          'Reviewer',
          p.maybeList('resource.reviewers').map((reviewer) => reviewer.text('displayName')),
        ),
      ],
      body: verb === 'merged' ? undefined : p.maybeText('resource.description'),
    });
  };

const build = (p: Payload): Message =>
  forge.buildNote({
    topic: p.maybeText('resource.definition.name') ?? p.text('resource.buildNumber'),
    name: `Build ${p.text('resource.buildNumber')}`,
    url: linkOf(p) ?? p.maybeText('resource.url'),
    status: p.maybeText('resource.result') ?? p.text('resource.status'),
    branch: p.has('resource.sourceBranch') ? branchOf(p, 'resource.sourceBranch') : undefined,
    values: [['Requested for', p.maybeText('resource.requestedFor.displayName')]],
  });

/** Fields of a work item stand under names with dots, and of a change with both values. */
function field(p: Payload, name: string): string | undefined {
  const revision = p.maybeObject('resource.revision') ?? p.object('resource');
  const value = Object.entries(revision.maybeObject('fields')?.raw() ?? {}).find(
    ([key]) => key === name,
  )?.[1] as unknown;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

const workItem = (p: Payload): Message => {
  const number = p.maybeScalar('resource.workItemId') ?? p.scalar('resource.id');
  const title = field(p, 'System.Title') ?? '';
  return note({
    topic: `${field(p, 'System.TeamProject') ?? 'Azure DevOps'} / ${field(p, 'System.WorkItemType') ?? 'item'} #${number} ${title}`,
    line: md`${link(capital(wordsOfHtml(p.text('message.text')).split('\n', 1)[0] ?? ''), linkOf(p))}`,
    values: [
      ['Title', title],
      ['State', field(p, 'System.State')],
      ['Assigned to', field(p, 'System.AssignedTo')],
      ['By', p.maybeText('resource.revisedBy.displayName') ?? field(p, 'System.ChangedBy')],
    ],
  });
};

export const azuredevops: Declaration = {
  name: 'azuredevops',
  title: 'Azure DevOps',
  about: 'Pushes, pull requests, builds and work items of projects.',
  subject: 'code',
  steps: [
    'Open the project, then Project settings → Service hooks → Create subscription.',
    'Choose Web Hooks, then the event, and press Next.',
    'Paste the address into URL, leave the details on All, press Test, then Finish.',
    'Make one subscription for each kind of event.',
  ],
  event: { key: 'eventType', read: (p) => p.text('eventType') },
  events: {
    'git.push': push,
    'git.pullrequest.created': pull('created', 'resource.createdBy.displayName'),
    'git.pullrequest.updated': pull('updated', 'resource.closedBy.displayName'),
    'git.pullrequest.merged': pull('merged', 'resource.closedBy.displayName'),
    'build.complete': build,
    'workitem.*': workItem,
  },
};
