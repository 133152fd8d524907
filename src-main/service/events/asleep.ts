/** What becomes of requests while the computer of the service goes to sleep (API decisions 15.19). */
import { organizationAsleep, type ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WaitingRoom } from './waiting-room.ts';

export interface Sleep {
  /** From now on everything is refused, and whoever waits is told why; or nothing is any more. */
  readonly setAsleep: (isAsleep: boolean) => void;
  /** With which everything is refused now. */
  readonly refusal: () => ServiceError | undefined;
}

export function createSleep(clock: Pick<Clock, 'now'>, room: Pick<WaitingRoom, 'refuse'>): Sleep {
  let refusal: ServiceError | undefined;
  return {
    refusal: () => refusal,
    setAsleep: (isAsleep) => {
      // Said twice, it sleeps since the first time.
      if (isAsleep === (refusal !== undefined)) return;
      refusal = isAsleep ? organizationAsleep(Math.floor(clock.now() / 1000)) : undefined;
      room.refuse(refusal);
    },
  };
}
