import type { Env, RendererRule, Token } from 'markdown-it';
import type { MessageMarks } from '#shared/api/models/message-marks.ts';
import { writeCodeBlock, writeFence } from './syntax/code.ts';
import type { MentionDirectory } from './directory.ts';
import { writeCustomEmoji, writeEmoji } from './syntax/emoji.ts';
import { type Engines, noEngines } from './engines.ts';
import { type OrganizationMarkup, plainMarkup, renderingEnv } from './env.ts';
import { escapeText, escapeValue } from './escape.ts';
import { collectFacts, type MessageFacts, silenceQuotes } from './facts.ts';
import { writeFormula } from './formulas.ts';
import type { Linkifier } from './syntax/linkifiers.ts';
import { linksOfText } from './syntax/links.ts';
import { writeMention } from './syntax/mentions.ts';
import { normalizeSource, parseLine, parseMessage, parser } from './parse.ts';
import { renderPlainText } from './plain-text.ts';
import { sanitize } from './sanitize.ts';
import { writeTime } from './syntax/times.ts';

export type { MentionDirectory } from './directory.ts';
export type { OrganizationMarkup } from './env.ts';
export { mentionCandidates } from './syntax/mentions.ts';
export { enginesFor } from './engines.ts';
export { escapeMarkdown } from './escape.ts';

export interface Rendered extends MessageFacts, MessageMarks {
  readonly html: string;
}

/** What the service knows that a text may name. */
export interface RenderingContext {
  readonly directory: MentionDirectory;
  readonly markup: OrganizationMarkup;
  readonly engines: Engines;
  /** Addresses of the service itself: what links to them is said relative to whoever reads it. None where it is left out. */
  readonly ownOrigins?: () => readonly string[];
}

/** A writer for one kind of token that needs nothing but the token. */
const alone =
  (write: (token: Token, env: Env) => string): RendererRule =>
  (tokens, i, _options, env) => {
    const token = tokens[i];
    return token ? write(token, env ?? {}) : '';
  };

parser.renderer.renderAttrs = (token) =>
  (token.attrs ?? []).map(([name, value]) => ` ${name}="${escapeValue(String(value))}"`).join('');

Object.assign(parser.renderer.rules, {
  text: alone((token) => escapeText(token.content)),
  code_inline: alone((token) => `<code>${escapeText(token.content)}</code>`),
  s_open: () => '<del>',
  s_close: () => '</del>',
  mention: alone(writeMention),
  stream_link: alone(
    (token) => `<a${parser.renderer.renderAttrs(token)}>${escapeText(token.content)}</a>`,
  ),
  emoji: alone(writeEmoji),
  custom_emoji: alone(writeCustomEmoji),
  formula: alone(writeFormula),
  time: alone(writeTime),
  fence: alone(writeFence),
  code_block: alone(writeCodeBlock),
  previews: (tokens, i) =>
    `${tokens[i - 1]?.hidden === true ? '\n' : ''}${tokens[i]?.content ?? ''}`,
  spoiler_open: () => '<div class="spoiler-block"><div class="spoiler-header">\n',
  spoiler_content: () => '</div><div class="spoiler-content" aria-hidden="true">\n',
  spoiler_close: () => '</div></div>\n',
} satisfies Record<string, RendererRule>);

const write = (tokens: Token[], env: Env): string =>
  sanitize(parser.renderer.render(tokens, parser.options, env)).trimEnd();

const noFacts = collectFacts([]);

const isOneParagraph = (blocks: readonly Token[]): boolean =>
  blocks.length === 3 && blocks[0]?.type === 'paragraph_open';

/** What `renderMessage` answers for a text without markup, whatever the context knows; undefined for any other one. */
export function renderPlain(
  content: string,
  { linkifiers }: OrganizationMarkup,
): Rendered | undefined {
  if (linkifiers.length > 0) return undefined;
  const html = renderPlainText(normalizeSource(content));
  return html === undefined ? undefined : { html, ...noFacts, is_me_message: false };
}

/**
 * Turns the content of a message into HTML that is safe to show, with what the sender's service must
 * know about it. Pure: the same content and context give the same answer. Never throws.
 */
export function renderMessage(content: string, context: RenderingContext): Rendered {
  const source = normalizeSource(content);
  const env = renderingEnv(context);
  const blocks = parseMessage(source, env);
  silenceQuotes(blocks);
  const isMe = source.startsWith('/me ') && !source.includes('\n') && isOneParagraph(blocks);
  return { html: write(blocks, env), ...collectFacts(blocks), is_me_message: isMe };
}

/** The description of a stream or an organization: one line, inline markup, nobody mentioned. */
export function renderDescription(text: string): string {
  const source = normalizeSource(text).replace(/\s+/g, ' ').trim();
  if (source === '') return '';
  const env = renderingEnv({ directory: undefined, markup: plainMarkup, engines: noEngines });
  return `<p>${write(parseLine(source, env), env)}</p>`;
}

/** What somebody says about themselves: all the markup of messages, but nobody is mentioned and no image shown. */
export function renderProfileText(text: string): string {
  const markup = { ...plainMarkup, showsLinkedImages: false };
  const env = renderingEnv({ directory: undefined, markup, engines: noEngines });
  return write(parseMessage(normalizeSource(text), env), env);
}

/** Every URL has one of them, also one without a scheme. */
const LINK_SIGN = /[.:@]/;

/** What the linkifiers and the bare URLs of a topic lead to. */
export const subjectLinks = (topic: string, linkifiers: readonly Linkifier[]): string[] =>
  linkifiers.length === 0 && !LINK_SIGN.test(topic)
    ? []
    : linksOfText(parser, topic.toWellFormed(), linkifiers);
