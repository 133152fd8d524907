/** What the terms of a narrow say, for whoever resolves the names in them (API decisions 3). */
import { badRequest, ServiceError } from '../api/errors.ts';
import type { NarrowTerm } from '../api/narrow.ts';
import { operatorNames, operators, type OperatorName, plainName } from './operators.ts';

export type Operand = NarrowTerm['operand'];

export const badNarrow = (description: string): ServiceError =>
  new ServiceError('BAD_NARROW', `Invalid narrow operator: ${description}`, { desc: description });

/** A narrow that is understood and asks for too much; the sentence is for whoever searches. */
export const narrowTooLarge = (sentence: string): ServiceError =>
  new ServiceError('BAD_NARROW', sentence, { desc: sentence });

const byName = operatorNames('api');

export const isNamed = ({ operator }: NarrowTerm, name: OperatorName): boolean =>
  byName.get(plainName(operator)) === name;

export type NarrowOperator = Exclude<OperatorName, 'search'>;

/** @throws BAD_NARROW */
export function knownOperator(term: NarrowTerm): NarrowOperator {
  const operator = byName.get(plainName(term.operator));
  if (operator === undefined || operator === 'search')
    throw badNarrow(`unknown operator ${term.operator}`);
  return operator;
}

/** @throws BAD_NARROW */
export function textOperand(operand: Operand, operator: string): string {
  if (typeof operand === 'string') return operand;
  throw badNarrow(`operand of ${operator} must be a string`);
}

/** @throws BAD_NARROW */
export function singleOperand(operand: Operand, operator: string): string | number {
  if (typeof operand === 'string' || typeof operand === 'number') return operand;
  throw badNarrow(
    `operand of ${operator} must be one ${operator === 'search' ? 'string' : 'user'}`,
  );
}

/** A stream by its name or id. @throws BAD_NARROW */
export function streamOperand(operand: Operand): string | number {
  if (Array.isArray(operand)) throw badNarrow('operand of stream must be a name or an id');
  return operand;
}

/** The people of a conversation, by address or id. */
export function peopleOperand(operand: Operand): readonly (string | number)[] {
  if (typeof operand !== 'string') return Array.isArray(operand) ? operand : [operand];
  return operand
    .split(',')
    .map((email) => email.trim())
    .filter((email) => email !== '');
}

/** Those by any of whom messages are, by address or id. @throws BAD_NARROW */
export function sendersOperand(operand: Operand): readonly (string | number)[] {
  if (!Array.isArray(operand)) return [operand];
  if (operand.length === 0) throw badNarrow('operand of sender must be a user, or a list of users');
  return operand;
}

/** @throws BAD_NARROW */
export function messageOperand(operand: Operand): number {
  const text = String(operand);
  if (Array.isArray(operand) || !/^\d{1,15}$/.test(text)) {
    throw badNarrow('operand of id must be a message id');
  }
  return Number(text);
}

/** When messages were sent: from a moment on, and before one; UNIX seconds, null where that side is open. */
export interface SentRange {
  readonly from: number | null;
  readonly before: number | null;
}

/** Hearth's own: their names are none of the specification. */
export const sentOperators = ['sent-after', 'sent-before', 'sent-within'] as const;
export type SentOperator = (typeof sentOperators)[number];

function momentOf(operand: string | number | undefined): number | null {
  const text = String(operand).trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * `sent-after` is at or after a moment, `sent-before` before one, `sent-within` at or after the first of two and before
 * the second. @throws BAD_NARROW
 */
export function sentOperand(operator: SentOperator, operand: Operand): SentRange {
  if (operator === 'sent-within') {
    const [from, before, ...more] = Array.isArray(operand) ? operand.map(momentOf) : [];
    const isRange = typeof from === 'number' && typeof before === 'number' && more.length === 0;
    if (isRange && from <= before) return { from, before };
    throw badNarrow(
      'operand of sent-within must be a list of two moments in whole seconds since 1970 (UTC), the earlier one first',
    );
  }
  const moment = Array.isArray(operand) ? null : momentOf(operand);
  if (moment === null) {
    throw badNarrow(`operand of ${operator} must be a moment in whole seconds since 1970 (UTC)`);
  }
  return operator === 'sent-after'
    ? { from: moment, before: null }
    : { from: null, before: moment };
}

export const isSentWithin = ({ from, before }: SentRange, sentAt: number): boolean =>
  (from === null || sentAt >= from) && (before === null || sentAt < before);

/** What all of some ranges have in common, of which some are negated; a negated one may cut a hole, which is left out. */
export function commonRange(
  ranges: readonly { readonly range: SentRange; readonly isNegated: boolean }[],
): SentRange {
  let from: number | null = null;
  let before: number | null = null;
  for (const { range, isNegated } of ranges) {
    if (isNegated && range.from !== null && range.before !== null) continue;
    const lowest = isNegated ? range.before : range.from;
    const highest = isNegated ? range.from : range.before;
    if (lowest !== null) from = Math.max(from ?? 0, lowest);
    if (highest !== null) before = Math.min(before ?? highest, highest);
  }
  return { from, before };
}

type WordOperator = 'is' | 'has' | 'in' | 'streams';
type WordOf<K extends WordOperator> = (typeof operators)[K]['words'] extends infer W
  ? W[keyof W]
  : never;

/** What one of the words that an operator knows means, in any case. @throws BAD_NARROW */
export function wordOperand<K extends WordOperator>(operand: Operand, operator: K): WordOf<K> {
  const words: Readonly<Record<string, string>> = operators[operator].words;
  const word = textOperand(operand, operator).toLowerCase();
  if (Object.hasOwn(words, word)) return words[word] as WordOf<K>;
  throw badNarrow(`unknown operand of ${operator}: ${operator === 'in' ? word : String(operand)}`);
}

/**
 * What hits are ranked by, of a page in the order of relevance: it has no anchor, but begins with the best.
 * @throws BAD_NARROW, BAD_REQUEST
 */
export function rankedOperands(
  terms: readonly NarrowTerm[],
  { isNewest, numAfter }: { readonly isNewest: boolean; readonly numAfter: number },
): readonly string[] {
  const wanted = searchOperands(terms)?.wanted ?? [];
  if (wanted.every((text) => text.trim() === '')) {
    throw badRequest('The order of relevance needs a search term that is not negated');
  }
  if (!isNewest) throw badRequest('The order of relevance needs the anchor newest');
  if (numAfter > 0)
    throw badRequest('The order of relevance has nothing after: num_after must be 0');
  return wanted;
}

/** What is sought and what is not, of the `search` terms; null where there are none. @throws BAD_NARROW */
export function searchOperands(
  terms: readonly NarrowTerm[],
): { readonly wanted: readonly string[]; readonly unwanted: readonly string[] } | null {
  const search = terms.filter((term) => isNamed(term, 'search'));
  if (search.length === 0) return null;
  const operands = (isNegated: boolean): readonly string[] =>
    search
      .filter((term) => (term.negated === true) === isNegated)
      .map(({ operand }) => String(singleOperand(operand, 'search')));
  return { wanted: operands(false), unwanted: operands(true) };
}
