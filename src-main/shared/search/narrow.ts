/**
 * Narrows resolved to conditions (API decisions 3): by the service, which asks its store for what a term names, and by the
 * client's cache, which knows it at once. Both find the same and refuse in the same words.
 */
import {
  isNamed,
  knownOperator,
  messageOperand,
  type NarrowOperator,
  narrowTooLarge,
  type Operand,
  peopleOperand,
  searchOperands,
  sentOperand,
  type SentOperator,
  type SentRange,
  singleOperand,
  sendersOperand,
  streamOperand,
  textOperand,
  wordOperand,
} from './narrow-terms.ts';
import { fold } from '../text/fold.ts';
import type { NarrowTerm, HistoryScope } from '../api/narrow.ts';
import { narrowFault } from './limits.ts';
import { operators } from './operators.ts';
import { type Search, searchOf } from './query.ts';

/** What messages are narrowed to by `has`: marks of them tell. */
export type HasKind = keyof typeof operators.has.words;
export const hasKinds = Object.keys(operators.has.words) as readonly HasKind[];

/** A type for each kind, so that one can be told from the others. */
type PlaceOf<Kind extends string, More = unknown> = Kind extends string
  ? { readonly kind: Kind } & More
  : never;

/** A condition that is the same wherever messages are kept, with names already resolved to ids. */
type CommonCondition =
  | PlaceOf<'topic', { readonly topicKey: string }>
  /** By any of them. */
  | PlaceOf<'sender', { readonly userIds: readonly number[] }>
  | PlaceOf<'group-with', { readonly userId: number }>
  | PlaceOf<'message', { readonly id: number }>
  | PlaceOf<'sent', { readonly range: SentRange }>
  | PlaceOf<'flag', { readonly flags: readonly string[] }>
  | PlaceOf<
      | 'private'
      | 'unread'
      /** By name or by a wildcard. */
      | 'mentioned'
      | 'home'
      | 'unmuted-topics'
      | 'public-streams'
      /** Those that the account is subscribed to, and what else it holds of them. */
      | 'own-public-streams'
      | HasKind
    >;

/** One condition of a narrow. @typeParam Place  how a stream or a conversation is named where messages are kept */
export type NarrowCondition<Place> = Place | CommonCondition;

export interface NarrowPredicate<Place> {
  readonly condition: NarrowCondition<Place>;
  readonly isNegated: boolean;
}

/** What the account holds, and everything in these places. */
export interface VisibleScope {
  readonly alsoIn: readonly number[];
}

export interface NarrowSelection<Place> {
  /** `held`: what the account holds; `open`: everything that the predicates select. */
  readonly base: 'held' | 'open' | VisibleScope;
  readonly predicates: readonly NarrowPredicate<Place>[];
}

/** What a narrow selects, and what is sought in there; null where it has no `search` term. */
export interface Resolution<Place> extends NarrowSelection<Place> {
  readonly search: Search | null;
}

/** A stream that the account may see, or of which it holds messages. */
export interface NamedStream<Place> {
  readonly place: Place;
  /** Whether messages may be read that the account does not hold. */
  readonly isHistoryOpen: boolean;
}

/** What is known of the names in a narrow, in the eyes of one account. */
export interface Names<Place> {
  readonly ownUserId: number;
  readonly isGuest: boolean;
  /** By id or, without case, by address. */
  readonly findUserId: (operand: string | number) => MaybeAsync<number | undefined>;
  /** By id or, without case, by name. */
  readonly findStream: (operand: string | number) => MaybeAsync<NamedStream<Place> | undefined>;
  /** @param key  all participants, ascending, joined by commas */
  readonly findConversation: (key: string) => MaybeAsync<Place>;
  /** The places of which the account is shown all history. */
  readonly listReached: (reach: Exclude<HistoryScope, 'held'>) => MaybeAsync<readonly number[]>;
  /** How a name is refused that nothing is known of. */
  readonly unknown: (description: string) => Error;
}

type MaybeAsync<T> = T | Promise<T>;

/** The same, where nothing has to be asked for. */
export type KnownNames<Place> = {
  readonly [K in keyof Names<Place>]: Names<Place>[K] extends (...asked: infer A) => infer R
    ? (...asked: A) => Awaited<R>
    : Names<Place>[K];
};

/** Yields what may have to be waited for, and goes on with what came of it. */
type Resolving<T> = Generator<unknown, T, unknown>;

function* settled<T>(answer: MaybeAsync<T>): Resolving<T> {
  return (yield answer) as T;
}

/** What one term selects, and whether it opens messages that the account does not hold. */
interface Resolved<Place> {
  readonly condition: NarrowCondition<Place>;
  readonly isOpen: boolean;
}

type Term<Place> = Resolved<Place> | null;

const closed = (condition: CommonCondition): Resolved<never> => ({ condition, isOpen: false });

function* getUserId<Place>(names: Names<Place>, operand: string | number): Resolving<number> {
  const id = yield* settled(names.findUserId(operand));
  if (id === undefined) throw names.unknown(`unknown user ${String(operand)}`);
  return id;
}

function* resolveStream<Place>(names: Names<Place>, operand: Operand): Resolving<Term<Place>> {
  const stream = yield* settled(names.findStream(streamOperand(operand)));
  if (stream === undefined) throw names.unknown(`unknown stream ${String(operand)}`);
  return { condition: stream.place, isOpen: stream.isHistoryOpen };
}

function* resolveConversation<Place>(
  names: Names<Place>,
  operand: Operand,
): Resolving<Term<Place>> {
  const ids = new Set([names.ownUserId]);
  for (const name of peopleOperand(operand)) ids.add(yield* getUserId(names, name));
  const key = [...ids].sort((a, b) => a - b).join(',');
  return { condition: yield* settled(names.findConversation(key)), isOpen: false };
}

const isConditions = {
  private: { kind: 'private' },
  starred: { kind: 'flag', flags: ['starred'] },
  mentioned: { kind: 'mentioned' },
  alerted: { kind: 'flag', flags: ['has_alert_word'] },
  unread: { kind: 'unread' },
} as const satisfies Readonly<Record<string, CommonCondition>>;

function resolveStreams(isGuest: boolean, operand: Operand): Resolved<never> {
  wordOperand(operand, 'streams');
  return { condition: { kind: isGuest ? 'own-public-streams' : 'public-streams' }, isOpen: true };
}

const sent = (operator: SentOperator, operand: Operand): Resolved<never> =>
  closed({ kind: 'sent', range: sentOperand(operator, operand) });

/** Terms that name nothing that has to be looked up. */
const plainTerms: Partial<
  Record<NarrowOperator, (operand: Operand, isGuest: boolean) => Resolved<never> | null>
> = {
  topic: (operand) => closed({ kind: 'topic', topicKey: fold(textOperand(operand, 'topic')) }),
  is: (operand) => closed(isConditions[wordOperand(operand, 'is')]),
  has: (operand) => closed({ kind: wordOperand(operand, 'has') }),
  near: () => null,
  id: (operand) => closed({ kind: 'message', id: messageOperand(operand) }),
  in: (operand) => (wordOperand(operand, 'in') === 'all' ? null : closed({ kind: 'home' })),
  streams: (operand, isGuest) => resolveStreams(isGuest, operand),
  'sent-after': (operand) => sent('sent-after', operand),
  'sent-before': (operand) => sent('sent-before', operand),
  'sent-within': (operand) => sent('sent-within', operand),
};

function* resolveTerm<Place>(names: Names<Place>, term: NarrowTerm): Resolving<Term<Place>> {
  const operator = knownOperator(term);
  const { operand } = term;
  switch (operator) {
    case 'stream':
      return yield* resolveStream(names, operand);
    case 'pm-with':
      return yield* resolveConversation(names, operand);
    case 'sender': {
      const userIds = new Set<number>();
      for (const sender of sendersOperand(operand)) userIds.add(yield* getUserId(names, sender));
      return closed({ kind: 'sender', userIds: [...userIds] });
    }
    case 'group-pm-with': {
      const userId = yield* getUserId(names, singleOperand(operand, 'user'));
      return closed({ kind: 'group-with', userId });
    }
    default:
      return plainTerms[operator]?.(operand, names.isGuest) ?? null;
  }
}

/** What a narrow selects from. What is asked of flags by `is` only messages can have that are held. */
function* baseOf<Place>(
  names: Names<Place>,
  terms: readonly NarrowTerm[],
  { isOpen, reach }: { readonly isOpen: boolean; readonly reach: HistoryScope },
): Resolving<NarrowSelection<Place>['base']> {
  const flagTerms = terms.filter((term) => isNamed(term, 'is'));
  if (isOpen && flagTerms.length === 0) return 'open';
  if (reach === 'held' || flagTerms.some(({ negated }) => negated !== true)) return 'held';
  return { alsoIn: yield* settled(names.listReached(reach)) };
}

/** @throws BAD_NARROW */
function searchIn(terms: readonly NarrowTerm[]): Search | null {
  const sought = searchOperands(terms);
  const fault = narrowFault(
    terms.map(({ operand }) => operand),
    sought,
  );
  if (fault !== null) throw narrowTooLarge(fault);
  return sought === null ? null : searchOf(sought.wanted, sought.unwanted);
}

function* resolving<Place>(
  names: Names<Place>,
  terms: readonly NarrowTerm[],
  reach: HistoryScope,
): Resolving<Resolution<Place>> {
  const search = searchIn(terms);
  const predicates: NarrowPredicate<Place>[] = [];
  let isOpen = false;
  for (const term of terms) {
    if (isNamed(term, 'search')) continue;
    const resolved = yield* resolveTerm(names, term);
    if (resolved === null) continue;
    const isNegated = term.negated === true;
    isOpen ||= resolved.isOpen && !isNegated;
    predicates.push({ condition: resolved.condition, isNegated });
  }
  return { base: yield* baseOf(names, terms, { isOpen, reach }), predicates, search };
}

/**
 * @param reach  of narrows that name no place whose history is open
 * @throws BAD_NARROW
 */
export async function resolveNarrow<Place>(
  names: Names<Place>,
  terms: readonly NarrowTerm[],
  reach: HistoryScope = 'held',
): Promise<Resolution<Place>> {
  const steps = resolving(names, terms, reach);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await step.value);
  return step.value;
}

/** @throws BAD_NARROW */
export function resolveKnownNarrow<Place>(
  names: KnownNames<Place>,
  terms: readonly NarrowTerm[],
  reach: HistoryScope = 'held',
): Resolution<Place> {
  const steps = resolving<Place>(names, terms, reach);
  let step = steps.next();
  while (step.done !== true) step = steps.next(step.value);
  return step.value;
}

/** What is unread in a narrow: muted topics are skipped, muted streams only where the narrow names no stream. */
export function unreadSelection<S extends NarrowSelection<unknown>>(
  selection: S,
  terms: readonly NarrowTerm[],
): S {
  const namesStream = terms.some((term) => term.negated !== true && isNamed(term, 'stream'));
  return {
    ...selection,
    base: 'held',
    predicates: [
      ...selection.predicates,
      { condition: { kind: 'unread' }, isNegated: false },
      { condition: { kind: namesStream ? 'unmuted-topics' : 'home' }, isNegated: false },
    ],
  };
}
