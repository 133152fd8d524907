/** Tells the computer that an organization came from where it is now, so that nobody who looks for it there looks in vain. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#node/log.ts';
import { findPreviousHost } from './target.ts';

export interface RedirectNotifier {
  /** From now on it is reached there. */
  readonly notify: (addresses: readonly string[]) => void;
  readonly stop: () => Promise<void>;
}

const FIRST_PAUSE_MS = 1_000;
/** The other one may be switched off for good. */
const LONGEST_PAUSE_MS = 10 * 60_000;
const LIMIT_MS = 30_000;

/** @param dataDir  of an organization that may have come from another computer */
export function createRedirectNotifier(dataDir: string, log: Log): RedirectNotifier {
  const stopping = new AbortController();
  let telling = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let told = '';

  async function repeat(addresses: readonly string[], signal: AbortSignal): Promise<void> {
    const host = await findPreviousHost(dataDir);
    if (host === undefined) return;
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
        const isTold = await host.notifyMoved(addresses, limit).then(
          () => true,
          () => false,
        );
        if (isTold || signal.aborted) return;
        await delay(pauseMs, undefined, { signal, ref: false });
      }
    } finally {
      host.close();
    }
  }

  return {
    notify(addresses) {
      const secure = addresses.filter((address) => address.startsWith('https://')).slice(0, 12);
      // While nobody reaches it, what was told before is as good as anything.
      if (secure.length === 0 || secure.join(' ') === told || stopping.signal.aborted) return;
      told = secure.join(' ');
      telling.abort();
      telling = new AbortController();
      const signal = AbortSignal.any([telling.signal, stopping.signal]);
      last = repeat(secure, signal).catch((error: unknown) => {
        if (!signal.aborted)
          log.warn('the previous host could not be told the new address', { error });
      });
    },
    async stop() {
      stopping.abort();
      await last;
    },
  };
}
