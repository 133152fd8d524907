/** What the terms of a narrow say, for whoever resolves the names in them (API decisions, section 3). */
import { ServiceError } from './errors.ts';
import type { NarrowTerm } from './narrow.ts';

export type Operand = NarrowTerm['operand'];

export const badNarrow = (description: string): ServiceError =>
  new ServiceError('BAD_NARROW', `Invalid narrow operator: ${description}`, { desc: description });

/** Operators are the same in every case, with `-` or `_`. */
export const operatorOf = ({ operator }: NarrowTerm): string =>
  operator.toLowerCase().replaceAll('_', '-');

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

/** @throws BAD_NARROW */
export function messageOperand(operand: Operand): number {
  const text = String(operand);
  if (Array.isArray(operand) || !/^\d{1,15}$/.test(text)) {
    throw badNarrow('operand of id must be a message id');
  }
  return Number(text);
}

/** One of the words that an operator knows, in any case. @throws BAD_NARROW */
export function wordOperand<T>(
  operand: Operand,
  operator: string,
  words: ReadonlyMap<string, T>,
): T {
  const word = textOperand(operand, operator).toLowerCase();
  const meaning = words.get(word);
  if (meaning === undefined) {
    throw badNarrow(`unknown operand of ${operator}: ${String(operand)}`);
  }
  return meaning;
}

/** What is sought and what is not, of the `search` terms; null where there are none. @throws BAD_NARROW */
export function searchOperands(
  terms: readonly NarrowTerm[],
): { readonly wanted: readonly string[]; readonly unwanted: readonly string[] } | null {
  const search = terms.filter((term) => operatorOf(term) === 'search');
  if (search.length === 0) return null;
  const operands = (isNegated: boolean): readonly string[] =>
    search
      .filter((term) => (term.negated === true) === isNegated)
      .map(({ operand }) => String(singleOperand(operand, 'search')));
  return { wanted: operands(false), unwanted: operands(true) };
}
