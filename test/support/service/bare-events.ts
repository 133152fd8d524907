/** Events of which it matters only that they happen, whatever they carry. */
import type { Audience } from '#service/db/event-log.ts';
import type { NewEvent } from '#service/db/port.ts';

export const bareEvent = (
  type: string,
  audience: Audience,
  payload: Readonly<Record<string, unknown>> = {},
): NewEvent => ({ type, audience, payload }) as unknown as NewEvent;
