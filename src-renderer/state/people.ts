import type { Person } from '#shared/bridge/models/client-state.ts';
import { byFullName } from '../lib/by-name.ts';
import type { PresenceState } from '../lib/presence.ts';

/** Minutes by which the person's clock is ahead of the reader's; null where the zone is not known. */
export function clockDifference(timezone: string, nowMs: number, own?: string): number | null {
  const offset = (zone: string | undefined): number => {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    }).formatToParts(nowMs);
    const part = (type: Intl.DateTimeFormatPartTypes): number =>
      Number(parts.find((each) => each.type === type)?.value ?? 0);
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  };
  if (timezone === '') return null;
  try {
    return Math.round((offset(timezone) - offset(own)) / 60_000);
  } catch {
    // A name that this computer does not know.
    return null;
  }
}

const rank: Readonly<Record<PresenceState, number>> = { active: 0, idle: 1, offline: 2 };

export interface PresentPerson {
  readonly person: Person;
  readonly presence: PresenceState;
}

/** Who is here first, then those who are away, the others last; by name within. */
export const byPresence = (
  people: readonly Person[],
  presenceOf: (userId: number) => PresenceState,
): readonly PresentPerson[] =>
  people
    .map((person) => ({ person, presence: presenceOf(person.userId) }))
    .sort((a, b) => rank[a.presence] - rank[b.presence] || byFullName(a.person, b.person));
