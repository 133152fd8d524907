/** When and from where keys are used, to the day. */
import type { CallerDirectory } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';

const DAY_SECONDS = 86_400;

/** The beginning of a day, UTC. */
export const dayOf = (seconds: number): number => seconds - (seconds % DAY_SECONDS);

/** Notes each day from where a key is used: once for each key, whatever else it is used for. */
export function keyUses(store: Store, nowSeconds: () => number): CallerDirectory['noteKeyUse'] {
  const noted = new Map<number, number>();
  // Every request asks: numbers are found without a text being made.
  return ({ userId, deviceId = 0 }, from) => {
    const today = dayOf(nowSeconds());
    const key = deviceId === 0 ? -userId : deviceId;
    if (noted.get(key) === today) return;
    noted.set(key, today);
    // It is only told: a disk that is full must not keep anybody from reading.
    store.noteKeyUse(userId, deviceId, today, from.address).catch(() => noted.delete(key));
  };
}
