/** How much one person, and the organization, may have of what everybody's memory carries (API decisions 13). */
import { badRequest } from '#shared/api/errors.ts';
import type { Caller } from './ports/handlers.ts';
import type { LimitName, Limits } from '#shared/limits.ts';
import type { CountedKind, Operation, Reading } from '../db/port.ts';

interface Quota {
  readonly what: string;
  /** Of one person with their bots. */
  readonly own?: LimitName;
  readonly all?: LimitName;
}

const quotas: Readonly<Record<CountedKind, Quota>> = {
  bots: { what: 'bots (deactivated ones count)', own: 'personBots' },
  emoji: { what: 'emoji (removed ones count)', own: 'personEmoji', all: 'emoji' },
  linkifiers: { what: 'linkifiers', all: 'linkifiers' },
  mutedTopics: { what: 'muted topics', own: 'personMutedTopics' },
  profileFields: { what: 'profile fields', all: 'profileFields' },
  reactions: { what: 'reactions to one message', own: 'messageReactions' },
  streams: { what: 'streams', own: 'personStreams', all: 'streams' },
  submessages: { what: 'submessages of one message', own: 'messageSubmessages' },
  userGroups: { what: 'user groups', all: 'userGroups' },
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
  const { what, own, all } = quotas[kind];
  const totals = yield* tx.countTotals(kind, caller.ownerId ?? caller.userId, messageId);
  if (own !== undefined && totals.own + count > limits[own]) {
    throw badRequest(`One person and their bots can have at most ${String(limits[own])} ${what}`);
  }
  if (all !== undefined && totals.all + count > limits[all]) {
    throw badRequest(`The organization can have at most ${String(limits[all])} ${what}`);
  }
}
