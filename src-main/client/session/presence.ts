/** Tells the service that the person is at this computer, and hears how everybody else is. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { Presences } from '#shared/api/models/presence.ts';
import type { Api } from '../transport/api.ts';
import type { Clock } from '../ports.ts';

/** As often as other clients do: who has not reported for a few minutes counts as away. */
const REPORT_MS = 60_000;
/** Until it is live for the first time. */
const FIRST_MS = 3_000;

export interface PresenceParts {
  readonly api: Pick<Api, 'call'>;
  readonly clock: Clock;
  /** Somebody is there and has the window in front; otherwise only the application runs. */
  readonly isActive: () => boolean;
  readonly isLive: () => boolean;
  /**
   * Events tell who comes, not who is still there: that would be taken for gone after a while.
   * @param serviceSeconds  when the service answered this, by its clock
   */
  readonly reported: (presences: Presences, serviceSeconds: number | undefined) => void;
  readonly signal: AbortSignal;
}

/** Asked anew after every wait. */
const isEnded = (signal: AbortSignal): boolean => signal.aborted;

/** Settles when the signal aborts. A report that fails is made up for by the next one. */
export async function reportPresence(parts: PresenceParts): Promise<void> {
  const { api, clock, isActive, isLive, reported, signal } = parts;
  let delayMs = FIRST_MS;
  for (;;) {
    await clock.wait(delayMs, signal);
    if (signal.aborted) return;
    if (!isLive()) continue;
    delayMs = REPORT_MS;
    const status = isActive() ? 'active' : 'idle';
    const outcome = await api.call(
      endpoints.presence.report,
      { status, newUserInput: isActive() },
      { signal },
    );
    if (!outcome.ok || isEnded(signal)) continue;
    const { presences, server_timestamp: serviceSeconds } = outcome.value;
    if (presences !== undefined) reported(presences, serviceSeconds);
  }
}
