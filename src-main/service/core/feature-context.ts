import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import type { Store } from '#service/db/port.ts';
import type { DomainContext } from './ports/environment.ts';
import type { Alerts } from './text/alert-words.ts';
import type { RenderingOperations } from './text/rendering.ts';

/** What every feature of the service is made with. */
export interface FeatureContext extends DomainContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly rendering: RenderingOperations;
  readonly alerts: Alerts;
  /** Whether a queue of one of these people takes events of a type. */
  readonly isHeard: (type: string, userIds: readonly number[]) => boolean;
  /** Lets others have their turn in the middle of long work. */
  readonly pause: () => Promise<void>;
}
