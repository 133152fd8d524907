import type { Env, RendererRule, Token } from 'markdown-it';
import { writeCodeBlock } from './code.ts';
import { bareUrls } from './links.ts';
import { mentionEnv, mentionOf } from './mentions.ts';
import type { MentionDirectory } from './mentions.ts';
import { normalizeSource, parseLine, parseMessage, parser } from './parse.ts';
import { sanitize } from './sanitize.ts';

export type { MentionDirectory } from './mentions.ts';
export { mentionCandidates } from './mentions.ts';
export { escapeMarkdown } from './escape.ts';

export interface Rendered {
  readonly html: string;
  /** Accounts mentioned by name, outside quotes; ascending. */
  readonly mentionedUserIds: readonly number[];
  readonly hasWildcardMention: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  readonly isMeMessage: boolean;
}

const { escapeHtml } = parser.utils;

function writeMention(token: Token): string {
  const mention = mentionOf(token);
  if (!mention) return '';
  const [className, sign] = mention.isSilent ? ['user-mention silent', ''] : ['user-mention', '@'];
  const name = escapeHtml(`${sign}${mention.name}`);
  return `<span class="${className}" data-user-id="${mention.userId}">${name}</span>`;
}

/** A writer for one kind of token that needs nothing but the token. */
const alone =
  (write: (token: Token) => string): RendererRule =>
  (tokens, i) => {
    const token = tokens[i];
    return token ? write(token) : '';
  };

Object.assign(parser.renderer.rules, {
  s_open: () => '<del>',
  s_close: () => '</del>',
  mention: alone(writeMention),
  stream_link: alone(
    (token) => `<a${parser.renderer.renderAttrs(token)}>${escapeHtml(token.content)}</a>`,
  ),
  fence: alone((token) => writeCodeBlock(token, escapeHtml)),
  code_block: alone((token) => writeCodeBlock(token, escapeHtml)),
} satisfies Record<string, RendererRule>);

const write = (tokens: Token[], env: Env): string =>
  sanitize(parser.renderer.render(tokens, parser.options, env)).trimEnd();

const IMAGE = /\.(?:bmp|gif|jpe?g|png|webp)$/i;

/** Quoted people are shown, not told: what they are mentioned in was said before. */
function silenceQuotes(blocks: readonly Token[]): Set<Token> {
  const quoted = new Set<Token>();
  let depth = 0;
  for (const block of blocks) {
    if (block.type === 'blockquote_open') depth++;
    if (block.type === 'blockquote_close') depth--;
    if (depth === 0) continue;
    for (const token of block.children ?? []) {
      quoted.add(token);
      const mention = mentionOf(token);
      if (mention) mention.isSilent = true;
    }
  }
  return quoted;
}

const hrefOf = (token: Token): string => String(token.attrGet('href') ?? '');

type Facts = Omit<Rendered, 'html' | 'isMeMessage'>;

function collectFacts(blocks: readonly Token[]): Facts {
  const quoted = silenceQuotes(blocks);
  const inline = blocks.flatMap((block) => block.children ?? []);
  const loud = inline.flatMap((token) => mentionOf(token) ?? []).filter((m) => !m.isSilent);
  const ids = loud.map((mention) => mention.userId).filter((id) => id !== '*');
  const links = inline.filter((token) => token.type === 'link_open');
  const isUpload = (token: Token): boolean => hrefOf(token).startsWith('/user_uploads/');
  return {
    mentionedUserIds: [...new Set(ids)].sort((a, b) => a - b),
    hasWildcardMention: loud.some((mention) => mention.userId === '*'),
    hasLink: links.length > 0,
    hasAttachment: links.some(isUpload),
    hasImage: links.some(
      (token) => isUpload(token) && !quoted.has(token) && IMAGE.test(hrefOf(token)),
    ),
  };
}

const isOneParagraph = (blocks: readonly Token[]): boolean =>
  blocks.length === 3 && blocks[0]?.type === 'paragraph_open';

/**
 * Turns the content of a message into HTML that is safe to show, with what the sender's service must
 * know about it. Pure: the same content and directory give the same answer. Never throws.
 */
export function renderMessage(content: string, directory: MentionDirectory): Rendered {
  const source = normalizeSource(content);
  const env = mentionEnv(directory);
  const blocks = parseMessage(source, env);
  const facts = collectFacts(blocks);
  const isMeMessage = source.startsWith('/me ') && !source.includes('\n') && isOneParagraph(blocks);
  return { html: write(blocks, env), ...facts, isMeMessage };
}

/** The description of a stream or an organization: one line, inline markup, nobody mentioned. */
export function renderDescription(text: string): string {
  const source = normalizeSource(text).replace(/\s+/g, ' ').trim();
  if (source === '') return '';
  const env = mentionEnv(undefined);
  return `<p>${write(parseLine(source, env), env)}</p>`;
}

/** The bare URLs in a topic, absolute, in order. */
export const subjectLinks = (topic: string): string[] => bareUrls(parser, topic.toWellFormed());
