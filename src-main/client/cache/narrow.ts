/** Narrows resolved to conditions, with the same rules and words as the service (API decisions, section 3). */
import {
  badNarrow,
  checkStreamsOperand,
  knownOperator,
  messageOperand,
  type NarrowOperator,
  type Operand,
  operatorOf,
  peopleOperand,
  placeOperand,
  searchOperands,
  sentOperand,
  type SentOperator,
  type SentRange,
  singleOperand,
  streamOperand,
  textOperand,
  wordOperand,
} from '../../contract/narrow-terms.ts';
import type { NarrowTerm } from '../../contract/narrow.ts';
import { type Search, searchOf } from '../../search/query.ts';
import { fold } from '../../contract/fold.ts';
import type { NarrowScope } from './narrow-scope.ts';

/** One condition of a narrow, with names already resolved to ids. */
export type Condition =
  | { readonly kind: 'stream'; readonly streamId: number }
  /** All participants, ascending, joined by commas. */
  | { readonly kind: 'conversation'; readonly key: string }
  | { readonly kind: 'topic'; readonly topicKey: string }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'group-with'; readonly userId: number }
  | { readonly kind: 'message'; readonly id: number }
  | { readonly kind: 'sent'; readonly range: SentRange }
  | { readonly kind: 'flag'; readonly flags: readonly string[] }
  | {
      readonly kind:
        'private' | 'unread' | 'home' | 'unmuted-topics' | 'public-streams' | 'own-public-streams';
    }
  | { readonly kind: 'link' | 'image' | 'attachment' };

export interface Predicate {
  readonly condition: Condition;
  readonly isNegated: boolean;
}

export interface Selection {
  /** `held`: what the account holds; `open`: everything that the predicates select. */
  readonly base: 'held' | 'open';
  readonly predicates: readonly Predicate[];
}

/** What a narrow selects, and what is sought in there; null where it has no `search` term. */
export interface ResolvedNarrow extends Selection {
  readonly search: Search | null;
}

/** A stream of which messages are held that the account may not see any more, by id or folded name. */
export type FindLeftStream = (operand: number | string) => number | undefined;

/** What one term selects, and whether it opens messages that the account does not hold. */
interface Resolved {
  readonly condition: Condition;
  readonly isOpen: boolean;
}

interface Names {
  readonly scope: NarrowScope;
  readonly findLeftStream: FindLeftStream;
}

const closed = (condition: Condition): Resolved => ({ condition, isOpen: false });

function userIdOf({ scope }: Names, operand: string | number): number {
  const id = scope.findUserId(operand);
  if (id === undefined) throw badNarrow(`unknown user ${String(operand)}`);
  return id;
}

function resolveStream({ scope, findLeftStream }: Names, operand: Operand): Resolved {
  const reference = streamOperand(operand);
  const stream = scope.findStream(reference);
  if (stream === undefined) {
    const key = typeof reference === 'number' ? reference : fold(reference);
    const streamId = findLeftStream(key);
    if (streamId === undefined) throw badNarrow(`unknown stream ${String(operand)}`);
    return closed({ kind: 'stream', streamId });
  }
  const { streamId, isPrivate, isSubscribed, hasSharedHistory } = stream;
  const isOpen = isPrivate ? isSubscribed && hasSharedHistory : !scope.isGuest || isSubscribed;
  return { condition: { kind: 'stream', streamId }, isOpen };
}

function resolveConversation(names: Names, operand: Operand): Resolved {
  const ids = new Set([names.scope.ownUserId]);
  for (const name of peopleOperand(operand)) ids.add(userIdOf(names, name));
  return closed({ kind: 'conversation', key: [...ids].sort((a, b) => a - b).join(',') });
}

const isConditions: ReadonlyMap<string, Condition> = new Map<string, Condition>([
  ['private', { kind: 'private' }],
  ['dm', { kind: 'private' }],
  ['starred', { kind: 'flag', flags: ['starred'] }],
  ['mentioned', { kind: 'flag', flags: ['mentioned', 'wildcard_mentioned'] }],
  ['alerted', { kind: 'flag', flags: ['has_alert_word'] }],
  ['unread', { kind: 'unread' }],
]);

const hasConditions: ReadonlyMap<string, Condition> = new Map<string, Condition>([
  ['link', { kind: 'link' }],
  ['image', { kind: 'image' }],
  ['attachment', { kind: 'attachment' }],
]);

const pick =
  (conditions: ReadonlyMap<string, Condition>, operator: string): Resolver =>
  (_names, operand) =>
    closed(wordOperand(operand, operator, conditions));

type Resolver = (names: Names, operand: Operand) => Resolved | null;

const resolveSender: Resolver = (names, operand) =>
  closed({ kind: 'sender', userId: userIdOf(names, singleOperand(operand, 'sender')) });
const resolveGroup: Resolver = (names, operand) =>
  closed({ kind: 'group-with', userId: userIdOf(names, singleOperand(operand, 'user')) });
const resolveTopic: Resolver = (_names, operand) =>
  closed({ kind: 'topic', topicKey: fold(textOperand(operand, 'topic')) });

const resolveId: Resolver = (_names, operand) =>
  closed({ kind: 'message', id: messageOperand(operand) });

const sent =
  (operator: SentOperator): Resolver =>
  (_names, operand) =>
    closed({ kind: 'sent', range: sentOperand(operator, operand) });

const resolveIn: Resolver = (_names, operand) =>
  placeOperand(operand) === 'all' ? null : closed({ kind: 'home' });

const resolveStreams: Resolver = ({ scope }, operand) => {
  checkStreamsOperand(operand);
  const kind = scope.isGuest ? 'own-public-streams' : 'public-streams';
  return { condition: { kind }, isOpen: true };
};

const resolvers: Readonly<Record<NarrowOperator, Resolver>> = {
  stream: resolveStream,
  topic: resolveTopic,
  sender: resolveSender,
  'pm-with': resolveConversation,
  'group-pm-with': resolveGroup,
  is: pick(isConditions, 'is'),
  has: pick(hasConditions, 'has'),
  near: () => null,
  id: resolveId,
  in: resolveIn,
  streams: resolveStreams,
  'sent-after': sent('sent-after'),
  'sent-before': sent('sent-before'),
  'sent-within': sent('sent-within'),
};

/** @throws BAD_NARROW */
export function resolveNarrow(
  terms: readonly NarrowTerm[],
  scope: NarrowScope,
  findLeftStream: FindLeftStream,
): ResolvedNarrow {
  const predicates: Predicate[] = [];
  let isOpen = false;
  let hasIs = false;
  for (const term of terms) {
    const operator = operatorOf(term);
    if (operator === 'search') continue;
    const resolver = resolvers[knownOperator(term)];
    const resolved = resolver({ scope, findLeftStream }, term.operand);
    if (resolved === null) continue;
    const isNegated = term.negated === true;
    hasIs ||= operator === 'is';
    isOpen ||= resolved.isOpen && !isNegated;
    predicates.push({ condition: resolved.condition, isNegated });
  }
  const sought = searchOperands(terms);
  return {
    base: isOpen && !hasIs ? 'open' : 'held',
    predicates,
    search: sought === null ? null : searchOf(sought.wanted, sought.unwanted),
  };
}

/** Muted topics are skipped, muted streams only where the narrow names no stream. */
export function unreadSelection(narrow: ResolvedNarrow, terms: readonly NarrowTerm[]): Selection {
  const namesStream = terms.some(
    (term) => term.negated !== true && /^(stream|channel)$/i.test(term.operator),
  );
  return {
    base: 'held',
    predicates: [
      ...narrow.predicates,
      { condition: { kind: 'unread' }, isNegated: false },
      { condition: { kind: namesStream ? 'unmuted-topics' : 'home' }, isNegated: false },
    ],
  };
}
