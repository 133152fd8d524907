/** Events of which it matters only that they happen, whatever they carry. */
import type { Audience } from '../../../src-main/service/ports/log.ts';
import type { NewEvent } from '../../../src-main/service/store/port.ts';

export const bareEvent = (
  type: string,
  audience: Audience,
  payload: Readonly<Record<string, unknown>> = {},
): NewEvent => ({ type, audience, payload }) as unknown as NewEvent;
