import type { Store } from '#service/db/port.ts';
import type { DomainContext } from './ports/environment.ts';

/** What every feature of the service is made with. */
export interface FeatureContext extends DomainContext {
  readonly store: Store;
}
