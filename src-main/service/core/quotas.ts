/** How much one person, and the organization, may have of what everybody's memory carries (API decisions 13). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from './ports/handlers.ts';
import type { LimitName, Limits } from '#shared/limits.ts';
import type { CountedKind, Operation, Reading } from '../db/port.ts';

interface Quota {
  /** Of one person with their bots. */
  readonly own?: LimitName;
  readonly all?: LimitName;
}

const quotas: Readonly<Record<CountedKind, Quota>> = {
  bots: { own: 'personBots' },
  emoji: { own: 'personEmoji', all: 'emoji' },
  linkifiers: { all: 'linkifiers' },
  mutedTopics: { own: 'personMutedTopics' },
  profileFields: { all: 'profileFields' },
  reactions: { own: 'messageReactions' },
  streams: { own: 'personStreams', all: 'streams' },
  submessages: { own: 'messageSubmessages' },
  userGroups: { all: 'userGroups' },
};

export interface Addition {
  readonly kind: CountedKind;
  readonly caller: Pick<Caller, 'userId' | 'ownerId'>;
  /** 1 where it is not given. */
  readonly count?: number;
  readonly messageId?: number;
}

/** Before something is added, in the transaction that adds it. @throws BAD_REQUEST when that would be too many */
export function* checkQuota(
  tx: Reading,
  limits: Limits,
  { kind, caller, count = 1, messageId }: Addition,
): Operation<void> {
  if (count === 0) return;
  const { own, all } = quotas[kind];
  const totals = yield* tx.countTotals(kind, caller.ownerId ?? caller.userId, messageId);
  if (own !== undefined && totals.own + count > limits[own]) {
    throw refusal('too_many_of_person', { limit: limits[own], kind });
  }
  if (all !== undefined && totals.all + count > limits[all]) {
    throw refusal('too_many_of_organization', { limit: limits[all], kind });
  }
}
