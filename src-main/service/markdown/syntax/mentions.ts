import type { StateInline, Token } from 'markdown-it';
import { isWordBefore } from '#shared/text/word-boundaries.ts';
import { encodeNarrowPart } from '#shared/text/mention-syntax.ts';
import type { MentionDirectory, MentionedUser } from '../directory.ts';
import { renderingOf } from '../env.ts';
import { escapeText } from '../escape.ts';

interface Mention {
  /** '*' is everyone who receives the message; a group has its own id. */
  readonly target: { readonly userId: number | '*' } | { readonly groupId: number };
  readonly memberIds: readonly number[];
  readonly name: string;
  isSilent: boolean;
}

const WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'stream']);
const USER = /@(_?)\*\*([^*\n]+)\*\*/y;
const GROUP = /@\*([^*\n]+)\*/y;
const STREAM = /#\*\*([^*\n]+)\*\*/y;
const NAME_WITH_ID = /^.+\|(\d{1,15})$/;

export const mentionOf = (token: Token): Mention | undefined =>
  token.type === 'mention' ? (token.meta as unknown as Mention) : undefined;

function matchHere(pattern: RegExp, state: StateInline): RegExpExecArray | undefined {
  pattern.lastIndex = state.pos;
  const match = pattern.exec(state.src);
  if (match === null || pattern.lastIndex > state.posMax) return undefined;
  return isWordBefore(state.src, state.pos) ? undefined : match;
}

type ResolvedMention = Omit<Mention, 'isSilent'>;

const one = ({ userId, fullName }: MentionedUser): ResolvedMention => ({
  target: { userId },
  memberIds: [userId],
  name: fullName,
});

function resolveUser(name: string, directory: MentionDirectory): ResolvedMention | null {
  if (WILDCARDS.has(name)) return { target: { userId: '*' }, memberIds: [], name };
  const id = NAME_WITH_ID.exec(name)?.[1];
  if (id !== undefined) {
    const user = directory.findUser(Number(id));
    return user ? one(user) : null;
  }
  const [user, ...others] = directory.findUsersByName(name);
  return user && others.length === 0 ? one(user) : null;
}

// Text that names nobody stays as typed. The token type keeps the link finder away from it.
function pushAsTyped(state: StateInline, text: string): void {
  state.push('text_special', '', 0).content = text;
}

export function userMentionRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x40) return false;
  const match = matchHere(USER, state);
  if (!match) return false;
  if (!silent) {
    const directory = renderingOf(state.env).directory;
    const name = match[2] ?? '';
    const found = directory && resolveUser(name, directory);
    if (found) {
      const meta = { ...found, isSilent: match[1] === '_' } satisfies Mention;
      state.push('mention', 'span', 0).meta = meta;
    } else pushAsTyped(state, match[0]);
  }
  state.pos += match[0].length;
  return true;
}

/** `@*group*`; a name that is no group's leaves it to the marks. */
export function groupMentionRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('@*', state.pos)) return false;
  const match = matchHere(GROUP, state);
  const group = match && renderingOf(state.env).directory?.findGroup(match[1] ?? '');
  if (!group) return false;
  if (!silent) {
    const { groupId, name, memberIds } = group;
    const meta = { target: { groupId }, memberIds, name, isSilent: false } satisfies Mention;
    state.push('mention', 'span', 0).meta = meta;
  }
  state.pos += match[0].length;
  return true;
}

export function writeMention(token: Token): string {
  const mention = mentionOf(token);
  if (!mention) return '';
  const { target, isSilent } = mention;
  const [kind, attribute] =
    'groupId' in target
      ? ['user-group-mention', `data-user-group-id="${String(target.groupId)}"`]
      : ['user-mention', `data-user-id="${String(target.userId)}"`];
  const [className, sign] = isSilent ? [`${kind} silent`, ''] : [kind, '@'];
  return `<span class="${className}" ${attribute}>${sign}${escapeText(mention.name)}</span>`;
}

/** A `>` parts stream from topic, unless the whole is the name of a stream. */
function splitStreamAndTopic(text: string): { stream: string; topic: string } | undefined {
  const at = text.indexOf('>');
  if (at < 0) return undefined;
  const [stream, topic] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return stream && topic ? { stream, topic } : undefined;
}

interface StreamLink {
  readonly kind: 'stream' | 'stream-topic';
  readonly streamId: string;
  readonly href: string;
  readonly text: string;
}

function resolveStream(text: string, directory: MentionDirectory): StreamLink | null {
  const parts = splitStreamAndTopic(text);
  const topical = parts && directory.findStreamByName(parts.stream);
  const stream = topical ?? directory.findStreamByName(text);
  if (!stream) return null;
  const streamId = String(stream.streamId);
  const base = `/#narrow/stream/${streamId}-${encodeNarrowPart(stream.name.replaceAll(' ', '-'))}`;
  if (!topical) return { kind: 'stream', streamId, href: base, text: `#${stream.name}` };
  const href = `${base}/topic/${encodeNarrowPart(parts.topic)}`;
  return { kind: 'stream-topic', streamId, href, text: `#${stream.name} > ${parts.topic}` };
}

export function streamLinkRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x23) return false;
  const match = matchHere(STREAM, state);
  if (!match) return false;
  if (!silent) {
    const directory = state.linkLevel > 0 ? undefined : renderingOf(state.env).directory;
    const link = directory && resolveStream((match[1] ?? '').trim(), directory);
    if (link) {
      const token = state.push('stream_link', 'a', 0);
      token.content = link.text;
      token.attrs = [
        ['class', link.kind],
        ['data-stream-id', link.streamId],
        ['href', link.href],
      ];
    } else pushAsTyped(state, match[0]);
  }
  state.pos += match[0].length;
  return true;
}

// Lookahead, because matches may overlap: a `@**` that opens nothing must not hide the one after it.
const ANY_USER = /@_?(?=\*\*([^*\n]+)\*\*)/g;
const ANY_GROUP = /@(?=\*([^*\n]+)\*)/g;
const ANY_STREAM = /#(?=\*\*([^*\n]+)\*\*)/g;

/**
 * Everything that rendering could look up, so that the caller can load it first. A cheap scan that
 * knows no code or quotes: it answers too much rather than too little. Names are as typed.
 */
export function mentionCandidates(content: string): {
  names: string[];
  userIds: number[];
  streamNames: string[];
  groupNames: string[];
} {
  if (!content.includes('*')) return { names: [], userIds: [], streamNames: [], groupNames: [] };
  const source = content.toWellFormed();
  const names = new Set<string>();
  const userIds = new Set<number>();
  const streamNames = new Set<string>();
  const groupNames = new Set<string>();
  for (const [, name = ''] of source.matchAll(ANY_USER)) {
    const id = NAME_WITH_ID.exec(name)?.[1];
    if (id !== undefined) userIds.add(Number(id));
    else if (!WILDCARDS.has(name)) names.add(name);
  }
  for (const [, text = ''] of source.matchAll(ANY_STREAM)) {
    streamNames.add(text.trim());
    const parts = splitStreamAndTopic(text);
    if (parts) streamNames.add(parts.stream);
  }
  for (const [, name = ''] of source.matchAll(ANY_GROUP)) groupNames.add(name);
  return {
    names: [...names],
    userIds: [...userIds],
    streamNames: [...streamNames],
    groupNames: [...groupNames],
  };
}
