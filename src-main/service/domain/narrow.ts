/** Narrows resolved to predicates and to the set of messages they search (API decisions, section 3). */
import type { ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
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
  singleOperand,
  streamOperand,
  textOperand,
  wordOperand,
} from '../../contract/narrow-terms.ts';
import type { NarrowTerm } from '../../contract/narrow.ts';
import { type Search, searchOf } from '../../search/query.ts';
import type {
  AccountRow,
  Condition,
  PageSelection,
  Predicate,
  Store,
  StreamRow,
} from '../store/port.ts';
import { fold } from '../../contract/fold.ts';
import { canReadHistory, canSeeStream, factsOf } from './rules/permissions.ts';

export type NarrowStore = Pick<
  Store,
  | 'findConversation'
  | 'findStream'
  | 'findStreamByName'
  | 'findUser'
  | 'findUserByEmail'
  | 'isMember'
  | 'listSelected'
>;

/** What one term selects, and whether it opens messages that the caller does not hold. */
interface Resolved {
  readonly condition: Condition;
  readonly isOpen: boolean;
}

interface Scope {
  readonly store: NarrowStore;
  readonly caller: Caller;
}

const closed = (condition: Condition): Resolved => ({ condition, isOpen: false });

async function findUser(scope: Scope, operand: string | number): Promise<AccountRow> {
  const user =
    typeof operand === 'number'
      ? await scope.store.findUser(operand)
      : await scope.store.findUserByEmail(fold(operand));
  if (user === undefined) throw badNarrow(`unknown user ${String(operand)}`);
  return user;
}

async function isAnythingHeld({ store, caller }: Scope, stream: StreamRow): Promise<boolean> {
  const condition: Condition = { kind: 'recipient', recipientId: stream.recipient_id };
  const predicates = [{ condition, isNegated: false }];
  const held = await store.listSelected({ userId: caller.userId, base: 'held', predicates }, 1);
  return held.length > 0;
}

async function findVisibleStream(scope: Scope, operand: Operand): Promise<[StreamRow, boolean]> {
  const { store, caller } = scope;
  const reference = streamOperand(operand);
  const unknown = (): ServiceError => badNarrow(`unknown stream ${String(operand)}`);
  const stream =
    typeof reference === 'number'
      ? await store.findStream(reference)
      : await store.findStreamByName(fold(reference));
  if (stream === undefined) throw unknown();
  const isSubscribed = await store.isMember(stream.recipient_id, caller.userId);
  const isVisible = stream.is_archived === 0 && canSeeStream(caller, factsOf(stream), isSubscribed);
  // What the caller holds stays readable after the stream was left or archived.
  if (!isVisible && !(await isAnythingHeld(scope, stream))) throw unknown();
  return [stream, isSubscribed];
}

async function resolveStream(scope: Scope, operand: Operand): Promise<Resolved> {
  const [stream, isSubscribed] = await findVisibleStream(scope, operand);
  return {
    condition: { kind: 'recipient', recipientId: stream.recipient_id },
    isOpen: stream.is_archived === 0 && canReadHistory(scope.caller, factsOf(stream), isSubscribed),
  };
}

async function resolveConversation(scope: Scope, operand: Operand): Promise<Resolved> {
  const ids = new Set([scope.caller.userId]);
  for (const name of peopleOperand(operand)) ids.add((await findUser(scope, name)).id);
  const key = [...ids].sort((a, b) => a - b).join(',');
  const recipientId = await scope.store.findConversation(key);
  return closed(
    recipientId === undefined ? { kind: 'nothing' } : { kind: 'recipient', recipientId },
  );
}

const isConditions: ReadonlyMap<string, Condition> = new Map<string, Condition>([
  ['private', { kind: 'private' }],
  ['dm', { kind: 'private' }],
  ['starred', { kind: 'flag', flags: ['starred'] }],
  ['mentioned', { kind: 'wildcard-or-mentioned' }],
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
  (_scope, operand) =>
    closed(wordOperand(operand, operator, conditions));

type Resolver = (scope: Scope, operand: Operand) => Promise<Resolved | null> | Resolved | null;

const resolveSender: Resolver = async (scope, operand) =>
  closed({ kind: 'sender', userId: (await findUser(scope, singleOperand(operand, 'sender'))).id });
const resolveGroup: Resolver = async (scope, operand) =>
  closed({
    kind: 'group-with',
    userId: (await findUser(scope, singleOperand(operand, 'user'))).id,
  });
const resolveTopic: Resolver = (_scope, operand) =>
  closed({ kind: 'topic', topicKey: fold(textOperand(operand, 'topic')) });

const sent =
  (operator: SentOperator): Resolver =>
  (_scope, operand) =>
    closed({ kind: 'sent', range: sentOperand(operator, operand) });

const resolveId: Resolver = (_scope, operand) =>
  closed({ kind: 'message', id: messageOperand(operand) });

const resolveIn: Resolver = (_scope, operand) =>
  placeOperand(operand) === 'all' ? null : closed({ kind: 'home' });

function resolveStreams(scope: Scope, operand: Operand): Resolved {
  checkStreamsOperand(operand);
  const isGuest = scope.caller.role === 'guest';
  return { condition: { kind: isGuest ? 'own-public-streams' : 'public-streams' }, isOpen: true };
}

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

/** What a narrow selects, and what is sought in there; null where it has no `search` term. */
export interface ResolvedNarrow extends PageSelection {
  readonly search: Search | null;
}

/** @throws BAD_NARROW */
export async function resolveNarrow(
  store: NarrowStore,
  caller: Caller,
  terms: readonly NarrowTerm[],
): Promise<ResolvedNarrow> {
  const predicates: Predicate[] = [];
  let isOpen = false;
  let hasIs = false;
  for (const term of terms) {
    const operator = operatorOf(term);
    if (operator === 'search') continue;
    const resolver = resolvers[knownOperator(term)];
    const resolved = await resolver({ store, caller }, term.operand);
    if (resolved === null) continue;
    const isNegated = term.negated === true;
    hasIs ||= operator === 'is';
    isOpen ||= resolved.isOpen && !isNegated;
    predicates.push({ condition: resolved.condition, isNegated });
  }
  const sought = searchOperands(terms);
  return {
    userId: caller.userId,
    base: isOpen && !hasIs ? 'open' : 'held',
    predicates,
    search: sought === null ? null : searchOf(sought.wanted, sought.unwanted),
  };
}
