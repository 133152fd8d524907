/** Narrows resolved by what the cache knows of the names in them (API decisions 3). */
import { badNarrow } from '#shared/search/narrow-terms.ts';
import { ServiceError } from '#shared/api/errors.ts';
import type { HistoryScope } from '#shared/api/narrow.ts';
import {
  type KnownNames,
  type NarrowCondition,
  type NarrowPredicate,
  type NarrowSelection,
  type Resolution,
  resolveKnownNarrow,
} from '#shared/search/narrow.ts';
import { canReadHistory } from '#shared/policies/streams.ts';
import { fold } from '#shared/text/fold.ts';
import type { NarrowScope, ScopeStream } from './narrow-scope.ts';
import type { PageQuery } from './port.ts';

/** A stream, or a conversation by all its participants, ascending, joined by commas. */
export type NarrowPlace =
  | { readonly kind: 'stream'; readonly streamId: number }
  | { readonly kind: 'conversation'; readonly key: string };

export type Condition = NarrowCondition<NarrowPlace>;
export type Predicate = NarrowPredicate<NarrowPlace>;
/** Places of which everything is shown are streams. */
export type Selection = NarrowSelection<NarrowPlace>;
export type ResolvedNarrow = Resolution<NarrowPlace>;

/** A stream of which messages are held that the account may not see any more, by id or folded name. */
export type FindLeftStream = (operand: number | string) => number | undefined;

/** A name that the cache has never heard of. The service may know it: nothing is wrong with the question. */
export class UnresolvableNarrow extends ServiceError {
  constructor(description: string) {
    const { code, message, data } = badNarrow(description);
    super(code, message, data);
  }
}

const isHistoryOpenTo = ({ actor }: NarrowScope, stream: ScopeStream): boolean =>
  canReadHistory(actor, stream, stream.isSubscribed);

const listReached = (scope: NarrowScope, reach: Exclude<HistoryScope, 'held'>): readonly number[] =>
  scope.streams
    .filter((stream) => stream.isSubscribed || reach === 'readable')
    .filter((stream) => isHistoryOpenTo(scope, stream))
    .map(({ streamId }) => streamId);

/** What the account holds and, for a reach beyond that, the streams of which it is shown all history. */
export const withHistoryScope = (scope: NarrowScope, reach: HistoryScope): Selection['base'] =>
  reach === 'held' ? 'held' : { alsoIn: listReached(scope, reach) };

const namesIn = (scope: NarrowScope, findLeftStream: FindLeftStream): KnownNames<NarrowPlace> => ({
  ownUserId: scope.ownUserId,
  isGuest: scope.actor.role === 'guest',
  findUserId: scope.findUserId,
  findStream(operand) {
    const stream = scope.findStream(operand);
    const streamId =
      stream?.streamId ?? findLeftStream(typeof operand === 'number' ? operand : fold(operand));
    if (streamId === undefined) return undefined;
    const isHistoryOpen = stream !== undefined && isHistoryOpenTo(scope, stream);
    return { place: { kind: 'stream', streamId }, isHistoryOpen };
  },
  findConversation: (key) => ({ kind: 'conversation', key }),
  listReached: (reach) => listReached(scope, reach),
  unknown: (description) => new UnresolvableNarrow(description),
});

/** @throws BAD_NARROW */
export const resolveNarrow = (
  { narrow, historyScope }: Pick<PageQuery, 'narrow' | 'historyScope'>,
  scope: NarrowScope,
  findLeftStream: FindLeftStream,
): ResolvedNarrow => resolveKnownNarrow(namesIn(scope, findLeftStream), narrow, historyScope);
