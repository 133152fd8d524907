import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';

const HOUR_MS = 3_600_000;

/** Does something at once and every hour; answers what stops that. @param what  as the log names it where it fails */
export function startHourly(
  what: string,
  work: () => Promise<void>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<void> {
  let isStopped = false;
  let cancel = (): void => undefined;
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = work()
      .catch((cause: unknown) => {
        log.error(`${what} failed`, { cause });
      })
      .finally(() => {
        if (!isStopped) cancel = clock.setTimer(run, HOUR_MS);
      });
  };
  run();
  return () => {
    isStopped = true;
    cancel();
    return running;
  };
}
