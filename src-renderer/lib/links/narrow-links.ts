/** What the narrow of a link selects: `#narrow/stream/4-ops/topic/deploy`, `#narrow/is/starred/near/7` (API decisions 6). */
import type { View } from '#shared/bridge/models/conversation.ts';
import { operatorNames, type OperatorIn, operators, plainName } from '#shared/search/operators.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import { trimEndOf } from '#shared/text/trim-end.ts';
import { searchWords } from '#renderer/i18n/search.ts';

export interface LinkTarget {
  readonly view: View;
  readonly messageId: number | null;
}

/** A link that leads into the window and cannot be followed: a sentence that says why. */
export interface LinkProblem {
  readonly problem: string;
}

/** What a stranger wrote must not find what every object has. */
const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const names = operatorNames('link');
type Operator = OperatorIn<'link'>;

const decodePart = (part: string): string | null => {
  try {
    return decodeURIComponent(part.replaceAll('.', '%'));
  } catch {
    return null;
  }
};

/** `4-ops` and `4` are the number 4; what begins otherwise is a name, or an address. */
const reference = (part: string): number | string | null => {
  const id = /^(\d{1,15})(?:-|$)/.exec(part)?.[1];
  return id === undefined ? decodePart(part) : Number(id);
};

/** `8,9-group`: those of the conversation, without oneself. */
function peopleOf(part: string, ownUserId: number): (number | string)[] | null {
  const ids = /^\d{1,15}(?:,\d{1,15})*(?=-|$)/.exec(part)?.[0];
  if (ids !== undefined) {
    return ids
      .split(',')
      .map(Number)
      .filter((id) => id !== ownUserId);
  }
  const names = decodePart(part)
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names === undefined || names.length === 0 ? null : names;
}

const number = (part: string): number | null => (/^\d{1,15}$/.test(part) ? Number(part) : null);

type Reader = (part: string, ownUserId: number) => NarrowTerm['operand'] | null;

const readers = {
  stream: reference,
  senders: reference,
  person: reference,
  people: peopleOf,
  message: number,
  text: decodePart,
} satisfies Readonly<Record<string, Reader>>;

function operandOf(
  operator: Operator,
  part: string,
  ownUserId: number,
): NarrowTerm['operand'] | null {
  const declared = operators[operator];
  if (declared.operand !== 'word') return readers[declared.operand](part, ownUserId);
  const words = { ...declared.words, ...('linkWords' in declared ? declared.linkWords : {}) };
  return own<string>(words, (decodePart(part) ?? '').toLowerCase()) ?? null;
}

type Read = { readonly term: NarrowTerm } | { readonly written: string };

function readTerm(name: string, part: string, ownUserId: number): Read {
  const [, minus = '', bare = ''] = /^(-?)(.*)$/s.exec(name.toLowerCase()) ?? [];
  const operator = names.get(plainName(bare));
  const operand = operator === undefined ? null : operandOf(operator, part, ownUserId);
  if (operator === undefined || operand === null || operand === '')
    return { written: `${name}:${decodePart(part) ?? part}` };
  return { term: { operator, operand, ...(minus === '' ? {} : { negated: true }) } };
}

const isPlain = ({ negated }: NarrowTerm): boolean => negated !== true;
const isIds = (operand: NarrowTerm['operand']): operand is number[] =>
  Array.isArray(operand) && operand.every((id) => typeof id === 'number');

const lists: Readonly<Record<string, View>> = {
  'is:starred': { kind: 'starred' },
  'is:mentioned': { kind: 'mentions' },
  'in:home': { kind: 'feed' },
  'in:all': { kind: 'feed' },
};

function viewOfOne({ operator, operand }: NarrowTerm): View | undefined {
  if (operator === 'stream' && typeof operand === 'number')
    return { kind: 'stream', streamId: operand, topic: null };
  if (operator === 'pm-with' && isIds(operand)) return { kind: 'private', userIds: operand };
  return lists[`${operator}:${String(operand)}`];
}

/** The view of the window that shows just that; a search where there is none. */
function viewOf(terms: readonly NarrowTerm[]): View {
  const [first, second, ...more] = terms;
  if (first === undefined) return { kind: 'feed' };
  const search: View = { kind: 'search', terms };
  if (more.length > 0 || !terms.every(isPlain)) return search;
  const view = viewOfOne(first);
  if (view === undefined || second === undefined) return view ?? search;
  const isTopic = view.kind === 'stream' && second.operator === 'topic';
  return isTopic ? { ...view, topic: String(second.operand) } : search;
}

/** The parts of a topic's link that may be wrong and that it can do without, as it always could. */
const canMiss = (name: string): boolean => {
  const operator = names.get(name.toLowerCase());
  return operator === 'topic' || operator === 'near';
};

/**
 * @param narrow  what stands behind `#narrow/`
 * @returns null where it selects nothing
 */
export function targetOfNarrow(narrow: string, ownUserId: number): LinkTarget | LinkProblem | null {
  const parts = trimEndOf(narrow, '/').split('/');
  const terms: NarrowTerm[] = [];
  let messageId: number | null = null;
  for (let at = 0; at < parts.length; at += 2) {
    const [name = '', part = ''] = parts.slice(at, at + 2);
    const read = readTerm(name, part, ownUserId);
    if ('written' in read) {
      if (terms.length > 0 && canMiss(name)) continue;
      return { problem: searchWords.unknownLink(read.written) };
    }
    const { term } = read;
    if (term.operator === 'near') messageId = Number(term.operand);
    else terms.push(term);
  }
  if (terms.length === 0 && messageId === null) return null;
  return { view: viewOf(terms), messageId };
}
