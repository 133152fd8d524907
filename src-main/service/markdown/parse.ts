import MarkdownIt from 'markdown-it';
import type { Env, MarkdownIt as Parser, StateBlock, StateCore, Token } from 'markdown-it';
import { codeSpanRule } from './syntax/code.ts';
import { emojiRule, literalEmojiRule } from './syntax/emoji.ts';
import { formulaRule } from './formulas.ts';
import {
  bareLinksRule,
  configureLinkFinder,
  linkifierRule,
  linkRule,
  urlRule,
} from './syntax/links.ts';
import { listRule } from './syntax/lists.ts';
import { escapeRule, MessageInline, strongOutsideRule } from './syntax/marks.ts';
import { groupMentionRule, streamLinkRule, userMentionRule } from './syntax/mentions.ts';
import { ownLinksRule } from './syntax/own-links.ts';
import { previewsRule } from './syntax/previews.ts';
import { containerFence, lineText, quoteLines } from './syntax/quotes.ts';
import { timeRule } from './syntax/times.ts';

type BlockRule = (state: StateBlock, start: number, end: number, silent: boolean) => boolean;

/** The parser's own rule of that name, to be narrowed by ours. */
function ownRule(name: string): BlockRule {
  const { ruler } = new MarkdownIt().block;
  ruler.enableOnly([name]);
  const [rule] = ruler.getRules('');
  if (!rule) throw new Error(`the parser has no rule ${name}`);
  return rule;
}

/** The rule, only where the line matches. */
function only(name: string, pattern: RegExp): BlockRule {
  const rule = ownRule(name);
  return (state, start, end, silent) => {
    return pattern.test(lineText(state, start)) && rule(state, start, end, silent);
  };
}

// Missing cells are filled in, so without a bound a page of text could become a thousand pages.
const MAX_CELLS = 2000;

function boundedTable(): BlockRule {
  const rule = ownRule('table');
  return (state, start, end, silent) => {
    const delimiters = start + 1 < end ? lineText(state, start + 1) : '';
    if (!/^[|:-][|: \t-]+$/.test(delimiters)) return false;
    let last = start;
    while (last < end && !state.isEmpty(last)) last++;
    if ((last - start) * delimiters.split('|').length > MAX_CELLS) return false;
    return rule(state, start, end, silent);
  };
}

/** A table has both sections, and alignment as the attribute that clients read. */
function tableRule(state: StateCore): void {
  state.tokens = state.tokens.flatMap((token, i, all) => {
    const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    if (align !== undefined) token.attrs = [['align', align]];
    if (token.type !== 'table_close' || all[i - 1]?.type !== 'thead_close') return [token];
    const [open, close] = [1 as const, -1 as const].map((nesting) => {
      const section = new state.Token(
        nesting === 1 ? 'tbody_open' : 'tbody_close',
        'tbody',
        nesting,
      );
      section.block = true;
      return section;
    });
    return [open, close, token].filter((t): t is Token => t !== undefined);
  });
}

function addBlockRules({ ruler }: Parser['block']): void {
  ruler.at('table', boundedTable(), { alt: ['paragraph', 'reference'] });
  const interrupting = ['paragraph', 'reference', 'blockquote', 'list'];
  ruler.at('heading', only('heading', /^#{1,6}[ \t]+[^ \t]/), {
    alt: ['paragraph', 'reference', 'blockquote'],
  });
  ruler.at('hr', only('hr', /^[-*]/), { alt: interrupting });
  ruler.at('blockquote', quoteLines(ownRule('blockquote')), { alt: interrupting });
  ruler.at('list', listRule, { alt: ['paragraph', 'reference', 'blockquote'] });
  ruler.before('fence', 'container_fence', containerFence, { alt: interrupting });
}

function addInlineRules({ ruler }: Parser['inline']): void {
  ruler.at('linkify', urlRule);
  ruler.at('escape', escapeRule);
  ruler.at('backticks', codeSpanRule);
  ruler.at('link', linkRule);
  ruler.before('strikethrough', 'mention', userMentionRule);
  ruler.before('strikethrough', 'group_mention', groupMentionRule);
  ruler.before('strikethrough', 'stream_link', streamLinkRule);
  ruler.before('strikethrough', 'formula', formulaRule);
  ruler.before('strikethrough', 'emoji', emojiRule);
  ruler.before('strikethrough', 'time', timeRule);
}

const block = ['table', 'code', 'fence', 'blockquote', 'hr', 'list', 'heading'];
const inline = ['newline', 'escape', 'backticks', 'strikethrough', 'emphasis', 'link', 'linkify'];

function createParser(): Parser {
  // Starts from nothing, so that HTML, entities, images, references and underlined headings stay off.
  const parser = new MarkdownIt('zero', { html: false, breaks: true, maxNesting: 100 });
  parser.inline.State = MessageInline;
  addBlockRules(parser.block);
  addInlineRules(parser.inline);
  parser.core.ruler.at('linkify', bareLinksRule);
  parser.core.ruler.after('linkify', 'strong_outside', strongOutsideRule);
  parser.core.ruler.after('linkify', 'literal_emoji', literalEmojiRule);
  parser.core.ruler.after('linkify', 'linkifiers', linkifierRule);
  parser.core.ruler.push('own_links', ownLinksRule);
  parser.core.ruler.push('previews', previewsRule);
  parser.core.ruler.after('block', 'table_sections', tableRule);
  parser.enable([...block, ...inline]);
  configureLinkFinder(parser);
  return parser;
}

export const parser: Parser = createParser();

/** Text as it is parsed: well-formed, with one kind of line end and nothing behind the last line. */
export function normalizeSource(text: string): string {
  const whole = text.toWellFormed();
  return (whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole).trimEnd();
}

export const parseMessage = (source: string, env: Env): Token[] => parser.parse(source, env);

export const parseLine = (source: string, env: Env): Token[] => parser.parseInline(source, env);
