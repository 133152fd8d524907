import type { IntegrationDescription } from '#service/core/ports/integrations.ts';
import type { Limits } from '#shared/limits.ts';

/** What the pages depend on. */
export interface PageRequest {
  /** Scheme, host and port under which the reader reaches the server. */
  readonly origin: string;
  readonly version: string;
  readonly limits: Limits;
  readonly integrations: readonly IntegrationDescription[];
}
