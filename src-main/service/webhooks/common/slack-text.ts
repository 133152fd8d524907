/** The markup of Slack as ours. */
import { escapeMarkdown } from '#service/markdown/render.ts';
import { code, fence, link, Markdown } from './markdown.ts';

const MAX_TEXT = 8000;

/** Code, links and mentions, bold, italic, struck out, emoji. */
const TOKEN =
  /```([^`]{1,3000})```|`([^`\n]{1,300})`|<([^<>\n]{1,2000})>|(?<![\w*])\*(?=\S)([^*\n]{1,500})(?<=\S)\*(?![\w*])|(?<!\w)_(?=\S)([^_\n]{1,500})(?<=\S)_(?!\w)|(?<![\w~])~(?=\S)([^~\n]{1,500})(?<=\S)~(?![\w~])|:([a-z0-9_+-]{1,50}):/g;

const decode = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Escaped, with the space before and behind it. */
function plain(text: string): string {
  const decoded = decode(text);
  const rest = decoded.replace(/^[ \t]+/, '');
  return (rest === decoded ? '' : ' ') + escapeMarkdown(rest);
}

/** `url|label`, `@U1|name`, `#C1|name`, `!here`, `!date^…^…|fallback`. Nobody of ours is meant by a mention. */
function reference(inside: string): string {
  const bar = inside.indexOf('|');
  const target = bar === -1 ? inside : inside.slice(0, bar);
  const label = bar === -1 ? '' : decode(inside.slice(bar + 1)).trim();
  if (/^[@#!]/.test(target)) {
    const sign = target.startsWith('!') ? '' : target.charAt(0);
    return plain(label === '' ? sign + target.slice(1) : sign + label.replace(/^[@#]/, ''));
  }
  const url = decode(target);
  return link(label === '' ? url.replace(/^mailto:/, '') : label, url).source;
}

const wrap = (mark: string, inner: string): string => {
  const source = write(inner).trim();
  return source === '' ? '' : mark + source + mark;
};

function token([whole, block, inline, inside, strong, weak, struck]: RegExpMatchArray): string {
  if (block !== undefined) return `\n${fence(decode(block)).source}\n`;
  if (inline !== undefined) return code(decode(inline)).source;
  if (inside !== undefined) return reference(inside);
  if (strong !== undefined) return wrap('**', strong);
  if (weak !== undefined) return wrap('*', weak);
  return struck === undefined ? whole : wrap('~~', struck);
}

function write(text: string): string {
  let written = '';
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    written += plain(text.slice(from, match.index)) + token(match);
    from = match.index + match[0].length;
  }
  return written + plain(text.slice(from));
}

/** A text in Slack's markup. */
export const slackText = (text: string | undefined): Markdown =>
  new Markdown(write((text ?? '').slice(0, MAX_TEXT).toWellFormed()).trim());
