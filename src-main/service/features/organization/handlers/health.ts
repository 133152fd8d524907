import type { health } from '#shared/api/endpoints/organization/health.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import { type HealthParts, readHealth } from '../operations/health.ts';

export const healthHandlers = (parts: HealthParts): Handlers<typeof health> => ({
  show: () => readHealth(parts),
});
