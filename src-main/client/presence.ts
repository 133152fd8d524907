/** Tells the service that the person is at this computer. */
import { api as endpoints } from '../contract/api/index.ts';
import type { Api } from './api.ts';
import type { Clock } from './ports.ts';

/** As often as other clients do: who has not reported for a few minutes counts as away. */
const REPORT_MS = 60_000;
/** Until it is live for the first time. */
const FIRST_MS = 3_000;

export interface PresenceParts {
  readonly api: Pick<Api, 'call'>;
  readonly clock: Clock;
  /** The person looks at the window; otherwise only the application runs. */
  readonly isActive: () => boolean;
  readonly isLive: () => boolean;
  readonly signal: AbortSignal;
}

/** Settles when the signal aborts. A report that fails is made up for by the next one. */
export async function reportPresence(parts: PresenceParts): Promise<void> {
  const { api, clock, isActive, isLive, signal } = parts;
  let delayMs = FIRST_MS;
  for (;;) {
    await clock.wait(delayMs, signal);
    if (signal.aborted) return;
    if (!isLive()) continue;
    delayMs = REPORT_MS;
    const status = isActive() ? 'active' : 'idle';
    await api.call(
      endpoints.presence.report,
      { status, pingOnly: true, newUserInput: isActive() },
      { signal },
    );
  }
}
