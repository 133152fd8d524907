/** Who is told of deliveries that are refused before their handler has seen them. */
import type { Caller, RawBody } from './handlers.ts';

export interface DeliveryRecorder {
  /** Does not wait, and does not fail. @param refusal  what was thrown */
  readonly noteRefused: (
    caller: Caller,
    integration: string,
    body: RawBody,
    refusal: unknown,
  ) => void;
}
