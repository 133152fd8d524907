/** What becomes of requests while the computer of the service goes to sleep (API decisions 15.19). */
import { organizationAsleep, type ServiceError } from '#shared/api/errors.ts';
import type { Clock } from '#node/clock.ts';
import type { Registry } from './queue-registry.ts';
import type { Waiters } from './waiters.ts';

export interface SleepControl {
  /** From now on everything is refused, and whoever waits is told why; or nothing is any more. */
  readonly setAsleep: (isAsleep: boolean) => void;
  /** With which everything is refused now. */
  readonly refusal: () => ServiceError | undefined;
}

interface SleepParts {
  readonly waiters: Pick<Waiters, 'refuse'>;
  readonly registry: Pick<Registry, 'setAsleep'>;
}

export function createSleepControl(
  clock: Pick<Clock, 'now'>,
  { waiters, registry }: SleepParts,
): SleepControl {
  let refusal: ServiceError | undefined;
  return {
    refusal: () => refusal,
    setAsleep: (isAsleep) => {
      // Said twice, it sleeps since the first time.
      if (isAsleep === (refusal !== undefined)) return;
      refusal = isAsleep ? organizationAsleep(Math.floor(clock.now() / 1000)) : undefined;
      registry.setAsleep(isAsleep);
      waiters.refuse(refusal);
    },
  };
}
