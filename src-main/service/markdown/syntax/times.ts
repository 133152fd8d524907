import type { StateInline, Token } from 'markdown-it';
import { escapeText } from '../escape.ts';

const TIME = /<time:([^<>\n]{1,40})>/y;
const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d{1,9})?)? ?(?:(Z|UTC|GMT)|([+-]\d\d):?(\d\d))?$/i;

/** The moment that people name as ISO 8601 or in UNIX seconds; without a zone it is in UTC. */
function momentOf(text: string): Date | undefined {
  if (/^\d{1,11}$/.test(text)) return new Date(Number(text) * 1000);
  const [whole, day = '', time = '00:00', seconds = ':00', , hours, minutes] = ISO.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes ?? '00'}`;
  // Days that a month does not have would be read as days of the next one.
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) return undefined;
  return new Date(`${day}T${time}${seconds}${zone}`);
}

/** `<time:2030-05-01T12:00:00Z>`, which every reader sees in their own time zone. */
export function timeRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false;
  TIME.lastIndex = state.pos;
  const match = TIME.exec(state.src);
  if (match === null || TIME.lastIndex > state.posMax) return false;
  const text = match[1]?.trim() ?? '';
  const moment = momentOf(text)?.getTime() ?? Number.NaN;
  const isFourDigitYear = moment >= Date.UTC(0, 0) && moment < Date.UTC(10_000, 0);
  if (!isFourDigitYear) return false;
  if (!silent) {
    const token = state.push('time', 'time', 0);
    token.content = text;
    token.info = new Date(moment).toISOString().replace(/\.\d+Z$/, 'Z');
  }
  state.pos += match[0].length;
  return true;
}

export const writeTime = (token: Token): string =>
  `<time datetime="${token.info}">${escapeText(token.content)}</time>`;
