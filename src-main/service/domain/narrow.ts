/** Narrows resolved to predicates and to the set of messages they search (API decisions, section 3). */
import { ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
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
import { fold } from './rules/names.ts';
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

export const badNarrow = (description: string): ServiceError =>
  new ServiceError('BAD_NARROW', `Invalid narrow operator: ${description}`, { desc: description });

type Operand = NarrowTerm['operand'];

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

const textOf = (operand: Operand, operator: string): string => {
  if (typeof operand === 'string') return operand;
  throw badNarrow(`operand of ${operator} must be a string`);
};

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
  if (Array.isArray(operand)) throw badNarrow('operand of stream must be a name or an id');
  const unknown = (): ServiceError => badNarrow(`unknown stream ${String(operand)}`);
  const stream =
    typeof operand === 'number'
      ? await store.findStream(operand)
      : await store.findStreamByName(fold(operand));
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
  const names: readonly (string | number)[] =
    typeof operand === 'string'
      ? operand
          .split(',')
          .map((email) => email.trim())
          .filter((email) => email !== '')
      : Array.isArray(operand)
        ? operand
        : [operand];
  const ids = new Set([scope.caller.userId]);
  for (const name of names) ids.add((await findUser(scope, name)).id);
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

function pick(
  conditions: ReadonlyMap<string, Condition>,
  operand: Operand,
  operator: string,
): Resolved {
  const condition = conditions.get(textOf(operand, operator).toLowerCase());
  if (condition === undefined)
    throw badNarrow(`unknown operand of ${operator}: ${String(operand)}`);
  return closed(condition);
}

function resolveId(operand: Operand): Resolved {
  const text = String(operand);
  if (Array.isArray(operand) || !/^\d{1,15}$/.test(text)) {
    throw badNarrow('operand of id must be a message id');
  }
  return closed({ kind: 'message', id: Number(text) });
}

const single = (operand: Operand, operator: string): string | number => {
  if (typeof operand === 'string' || typeof operand === 'number') return operand;
  throw badNarrow(
    `operand of ${operator} must be one ${operator === 'search' ? 'string' : 'user'}`,
  );
};

type Resolver = (scope: Scope, operand: Operand) => Promise<Resolved | null> | Resolved | null;

const resolveSender: Resolver = async (scope, operand) =>
  closed({ kind: 'sender', userId: (await findUser(scope, single(operand, 'sender'))).id });
const resolveGroup: Resolver = async (scope, operand) =>
  closed({ kind: 'group-with', userId: (await findUser(scope, single(operand, 'user'))).id });
const resolveTopic: Resolver = (_scope, operand) =>
  closed({ kind: 'topic', topicKey: fold(textOf(operand, 'topic')) });

function resolveIn(_scope: Scope, operand: Operand): Resolved | null {
  const place = textOf(operand, 'in').toLowerCase();
  if (place === 'all') return null;
  if (place === 'home') return closed({ kind: 'home' });
  throw badNarrow(`unknown operand of in: ${place}`);
}

function resolveStreams(scope: Scope, operand: Operand): Resolved {
  if (textOf(operand, 'streams').toLowerCase() !== 'public') {
    throw badNarrow(`unknown operand of streams: ${String(operand)}`);
  }
  const isGuest = scope.caller.role === 'guest';
  return { condition: { kind: isGuest ? 'own-public-streams' : 'public-streams' }, isOpen: true };
}

const resolvers: ReadonlyMap<string, Resolver> = new Map<string, Resolver>([
  ['stream', resolveStream],
  ['channel', resolveStream],
  ['topic', resolveTopic],
  ['subject', resolveTopic],
  ['sender', resolveSender],
  ['from', resolveSender],
  ['pm-with', resolveConversation],
  ['dm', resolveConversation],
  ['group-pm-with', resolveGroup],
  ['dm-including', resolveGroup],
  ['is', (_scope, operand) => pick(isConditions, operand, 'is')],
  ['has', (_scope, operand) => pick(hasConditions, operand, 'has')],
  ['near', () => null],
  ['id', (_scope, operand) => resolveId(operand)],
  ['in', resolveIn],
  ['streams', resolveStreams],
  ['channels', resolveStreams],
]);

/** What a narrow selects, and what is sought in there; null where it has no `search` term. */
export interface ResolvedNarrow extends PageSelection {
  readonly search: Search | null;
}

const operatorOf = ({ operator }: NarrowTerm): string =>
  operator.toLowerCase().replaceAll('_', '-');

function resolveSearch(terms: readonly NarrowTerm[]): Search | null {
  if (terms.length === 0) return null;
  const operands = (isNegated: boolean): readonly string[] =>
    terms
      .filter((term) => (term.negated === true) === isNegated)
      .map(({ operand }) => String(single(operand, 'search')));
  return searchOf(operands(false), operands(true));
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
    const resolver = resolvers.get(operator);
    if (resolver === undefined) throw badNarrow(`unknown operator ${term.operator}`);
    const resolved = await resolver({ store, caller }, term.operand);
    if (resolved === null) continue;
    const isNegated = term.negated === true;
    hasIs ||= operator === 'is';
    isOpen ||= resolved.isOpen && !isNegated;
    predicates.push({ condition: resolved.condition, isNegated });
  }
  return {
    userId: caller.userId,
    base: isOpen && !hasIs ? 'open' : 'held',
    predicates,
    search: resolveSearch(terms.filter((term) => operatorOf(term) === 'search')),
  };
}
