import type { Presence, Status } from '#shared/bridge/models/client-state.ts';

/** Clients report once a minute; who has missed two reports is gone. */
const GONE_AFTER_SECONDS = 140;

export type PresenceState = 'active' | 'idle' | 'offline';

/** Whoever said to be away is away, whatever they do. */
export function presenceState(
  presence: Presence | undefined,
  status: Status | undefined,
  nowSeconds: number,
): PresenceState {
  if (presence === undefined || nowSeconds - presence.atSeconds > GONE_AFTER_SECONDS) {
    return 'offline';
  }
  return status?.isAway === true ? 'idle' : presence.status;
}
