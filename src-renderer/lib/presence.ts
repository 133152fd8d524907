import { PRESENCE_SECONDS } from '#shared/api/bounds.ts';
import type { Presence, Status } from '#shared/bridge/models/client-state.ts';

export type PresenceState = 'active' | 'idle' | 'offline';

/** Whoever said to be away is away, whatever they do. */
export function presenceState(
  presence: Presence | undefined,
  status: Status | undefined,
  nowSeconds: number,
): PresenceState {
  if (presence === undefined || nowSeconds - presence.atSeconds > PRESENCE_SECONDS) {
    return 'offline';
  }
  return status?.isAway === true ? 'idle' : presence.status;
}
