/** Which tab of this browser is responsible for what was written in it, and when another one has to take over. */
import { randomUuid } from '#client/outbox/uuid.ts';

export interface TabOwnership {
  /** Never the same twice, also not after a reload. */
  readonly tabId: string;
  /** Runs when that tab is closed: in one of those that wait for it, and in no other. */
  readonly whenGone: (tabId: string, run: () => void, signal: AbortSignal) => void;
}

const nameOf = (tabId: string): string => `hearth.tab.${tabId}`;

/** @param closed  aborted when the tab is closed; the browser itself notices that too */
export function createTabOwnership(closed: AbortSignal): TabOwnership {
  // Pages that came over plain HTTP have no locks.
  const { locks } = navigator as { readonly locks?: LockManager };
  return locks === undefined ? byLease(closed) : byLock(locks, closed);
}

function byLock(locks: LockManager, closed: AbortSignal): TabOwnership {
  const tabId = randomUuid();
  const untilClosed = new Promise<void>((resolve) => {
    closed.addEventListener('abort', () => {
      resolve();
    });
  });
  const isHeld = new Promise<void>((resolve) => {
    void locks.request(nameOf(tabId), () => {
      resolve();
      return untilClosed;
    });
  });
  const wait = async (other: string, run: () => void, signal: AbortSignal): Promise<void> => {
    await isHeld;
    if (signal.aborted) return;
    await locks.request(nameOf(other), { signal }, run).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  };
  return {
    tabId,
    whenGone: (other, run, signal) => {
      void wait(other, run, signal);
    },
  };
}

const RENEW_MS = 15_000;
/** Tabs in the background may be given a turn only once a minute. */
const LEASE_MS = 5 * 60_000;

/**
 * A tab that was frozen for longer is taken for closed. Then two tabs may send the same message; the service accepts its
 * local id once.
 */
function byLease(closed: AbortSignal): TabOwnership {
  const tabId = randomUuid();
  const renew = (): void => {
    try {
      localStorage.setItem(nameOf(tabId), String(Date.now()));
    } catch {
      // Without space for a number nothing can be kept here at all, which whoever keeps something tells.
    }
  };
  renew();
  const renewing = setInterval(renew, RENEW_MS);
  const end = (): void => {
    clearInterval(renewing);
    localStorage.removeItem(nameOf(tabId));
  };
  closed.addEventListener('abort', end);
  addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) end();
  });
  return {
    tabId,
    whenGone: (other, run, signal) => {
      if (signal.aborted) return;
      const look = (): void => {
        const renewedAt = Number(localStorage.getItem(nameOf(other)) ?? '0');
        if (Date.now() - renewedAt < LEASE_MS) return;
        leave();
        localStorage.removeItem(nameOf(other));
        run();
      };
      const looking = setInterval(look, RENEW_MS);
      const leave = (): void => {
        clearInterval(looking);
        removeEventListener('storage', look);
        signal.removeEventListener('abort', leave);
      };
      addEventListener('storage', look);
      signal.addEventListener('abort', leave);
      queueMicrotask(look);
    },
  };
}
