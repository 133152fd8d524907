/** What the forges (GitHub, GitLab, Gitea, Bitbucket …) tell, in the same words for all of them. */
import { type Message, note } from './integration.ts';
import {
  bold,
  bullets,
  code,
  count,
  enumerate,
  type Labelled,
  link,
  Markdown,
  md,
  quote,
  type Value,
} from './markdown.ts';

export interface Commit {
  readonly id: string;
  readonly message: string;
  readonly url: string | undefined;
  readonly author: string | undefined;
}

export interface Push {
  readonly repo: string;
  readonly actor: string;
  readonly branch: string;
  readonly branchUrl: string | undefined;
  /** Where what changed is shown. */
  readonly compareUrl: string | undefined;
  readonly commits: readonly Commit[];
  /** How many there are, where not all were sent. */
  readonly total?: number | undefined;
  readonly kind: 'pushed' | 'forced' | 'created' | 'removed';
}

const NO_COMMIT = /^0+$/;
export const isNothing = (sha: string | undefined): boolean =>
  sha === undefined || NO_COMMIT.test(sha);

/** `refs/heads/main` as a branch, `refs/tags/v1` as a tag. */
export const refOf = (ref: string): { readonly isTag: boolean; readonly name: string } => ({
  isTag: ref.startsWith('refs/tags/'),
  name: ref.replace(/^refs\/(?:heads|tags)\//, ''),
});

/** A branch or tag within an address, where `#`, `?` and `%` would mean something else; slashes stay. */
export const refInUrl = (name: string): string =>
  name.toWellFormed().split('/').map(encodeURIComponent).join('/');

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';

export const sha7 = (id: string): string => id.slice(0, 7);

/** The short name of a commit, leading to it. */
export const commitLink = (id: string, url: string | undefined): Markdown =>
  link(code(sha7(id)), url);

/** Who made how many, where it was not the one who pushed alone. */
function authorsOf({ actor, commits }: Push): Markdown | undefined {
  const counts = new Map<string, number>();
  for (const { author } of commits) {
    if (author !== undefined) counts.set(author, (counts.get(author) ?? 0) + 1);
  }
  if (counts.size === 0 || (counts.size === 1 && counts.has(actor))) return undefined;
  const authors = [...counts].sort(([, a], [, b]) => b - a);
  return md`Commits by ${enumerate(authors.map(([name, number]) => md`${name} (${number})`))}.`;
}

function pushLine(push: Push, total: number): Markdown {
  const { actor, branchUrl, compareUrl, kind } = push;
  const branch = link(push.branch, branchUrl);
  if (kind === 'removed') return md`${bold(actor)} removed branch ${bold(push.branch)}`;
  if (total === 0 && kind === 'created') return md`${bold(actor)} created branch ${branch}`;
  if (total === 0 && kind === 'forced') {
    return md`${bold(actor)} ${link('force-pushed', compareUrl)} branch ${branch}`;
  }
  const done = kind === 'forced' ? 'force-pushed' : 'pushed';
  const what = link(count(total, 'commit'), compareUrl);
  const isNew = kind === 'created' ? ', which is new' : '';
  return md`${bold(actor)} ${done} ${what} to branch ${branch}${isNew}`;
}

/** Commits that were pushed to a branch, or the branch itself. */
export function pushNote(push: Push): Message {
  const { repo, branch, commits } = push;
  const total = Math.max(push.total ?? 0, commits.length);
  const authors = authorsOf(push);
  return note({
    topic: `${repo} / ${branch}`,
    line: pushLine(push, total),
    below: [
      ...(authors === undefined ? [] : [authors]),
      bullets(
        commits.map(({ id, message, url }) => md`${firstLine(message)} (${commitLink(id, url)})`),
        total,
      ),
    ],
    branch,
  });
}

interface TagChange {
  readonly repo: string;
  readonly actor: string;
  readonly tag: string;
  readonly url: string | undefined;
  readonly isRemoved: boolean;
  readonly commit?: Value | undefined;
}

export const tagNote = ({ repo, actor, tag, url, isRemoved, commit }: TagChange): Message =>
  note({
    topic: repo,
    line: isRemoved
      ? md`${bold(actor)} removed tag ${bold(tag)}`
      : md`${bold(actor)} pushed tag ${link(tag, url)}`,
    values: [['Commit', commit]],
  });

/** An issue or a request to merge: `issue`, `confidential issue`, `PR`, `MR`. */
export interface Item {
  readonly repo: string;
  readonly kind: string;
  readonly number: string | number;
  readonly title: string;
  readonly url: string | undefined;
}

/** Hidden in a body by who wrote it, or by the template of the repository. */
function withoutComments(text: string): string {
  const [first = '', ...rest] = text.slice(0, 20_000).split('<!--');
  return first + rest.map((part) => part.split('-->').slice(1).join('-->')).join('');
}

export const body = (text: string | undefined): Markdown => quote(withoutComments(text ?? ''));

const topicKind = (kind: string): string => kind.split(' ').pop() ?? kind;

export const topicOf = ({ repo, kind, number, title }: Item): string =>
  `${repo} / ${topicKind(kind)} #${number} ${title}`;

export const itemLink = ({ kind, number, title, url }: Item): Markdown =>
  md`${kind} ${link(md`#${number} ${title}`, url)}`;

interface ItemChange {
  readonly actor: string;
  /** `opened`, `requested a review of`. */
  readonly verb: Value;
  readonly after?: Value | undefined;
  readonly values?: readonly Labelled[];
  readonly body?: string | undefined;
}

/** What somebody did to an issue or a request to merge. */
export const itemNote = (
  item: Item,
  { actor, verb, after, values, body: text }: ItemChange,
): Message =>
  note({
    topic: topicOf(item),
    line: md`${bold(actor)} ${verb} ${itemLink(item)}${after === undefined ? '' : md` ${after}`}`,
    ...(values === undefined ? {} : { values }),
    below: [body(text)],
  });

/** `from` and `into` of a request to merge. */
export const branches = (from: string, into: string): Labelled => [
  'Branches',
  md`${code(from)} into ${code(into)}`,
];

/** Who wrote it, where that is not whoever did something to it now. */
export const author = (actor: string, name: string | undefined): Labelled => [
  'Author',
  name === actor ? undefined : name,
];

/** People, labels and whatever else several can be of. */
export const several = (label: string, names: readonly string[]): Labelled => [
  names.length > 1 ? `${label}s` : label,
  names.length === 0 ? undefined : enumerate(names),
];

const commentVerb = (action: string, url: string | undefined): Markdown => {
  if (action === 'created') return md`${link('commented', url)} on`;
  return md`${action} ${link('a comment', action === 'deleted' ? undefined : url)} on`;
};

export interface Comment {
  readonly actor: string;
  /** `created`, `edited`, `deleted`. */
  readonly action: string;
  readonly url: string | undefined;
  readonly text: string | undefined;
  readonly values?: readonly Labelled[];
}

export const commentNote = (item: Item, comment: Comment): Message =>
  itemNote(item, {
    actor: comment.actor,
    verb: commentVerb(comment.action, comment.url),
    ...(comment.values === undefined ? {} : { values: comment.values }),
    body: comment.text,
  });

/** @param on  the commit or whatever else it is about */
export const commentOn = (topic: string, on: Value, comment: Comment): Message =>
  note({
    topic,
    line: md`${bold(comment.actor)} ${commentVerb(comment.action, comment.url)} ${on}`,
    values: comment.values ?? [],
    below: [body(comment.text)],
  });

interface Build {
  readonly topic: string;
  /** `Pipeline #7`, `Workflow CI`. */
  readonly name: Value;
  readonly url: string | undefined;
  readonly status: string;
  readonly branch?: string | undefined;
  readonly values?: readonly Labelled[];
  readonly below?: readonly Markdown[];
}

const icons: Readonly<Record<string, string>> = {
  success: '✅',
  failure: '❌',
  warning: '⚠️',
  running: '⏳',
};

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^(?:success|successful|succeeded|passed|fixed|completed|ok|ready)$/i, 'success'],
  [/^(?:fail|failed|failing|failure|broken|errored|error|timed[ _]out|still failing)$/i, 'failure'],
  [
    /^(?:cancell?ed|stopped|aborted|unstable|partiallysucceeded|skipped|action required)$/i,
    'warning',
  ],
  [/^(?:running|in[ _]progress|started|building|pending|created|queued|inprogress)$/i, 'running'],
];

const iconOf = (status: string): string => {
  const kind = kinds.find(([pattern]) => pattern.test(status))?.[1] ?? '';
  return icons[kind] === undefined ? '' : `${icons[kind]} `;
};

/** What became of a build, a job, a check or a deploy. */
export const buildNote = ({ topic, name, url, status, branch, values, below }: Build): Message =>
  note({
    topic,
    line: md`${new Markdown(iconOf(status))}${link(name, url)}${branch === undefined ? '' : md` on ${code(branch)}`}: ${bold(status)}`,
    ...(values === undefined ? {} : { values }),
    ...(below === undefined ? {} : { below }),
  });
