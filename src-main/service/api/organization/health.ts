import type { health } from '../../../contract/api/organization/health.ts';
import type { Handlers } from '../../ports/handlers.ts';
import { type HealthParts, readHealth } from '../../domain/organization/health.ts';

export const healthHandlers = (parts: HealthParts): Handlers<typeof health> => ({
  show: () => readHealth(parts),
});
