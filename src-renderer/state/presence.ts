import type { Presence } from '../../src-main/contract/models/client-state.ts';

/** Clients report once a minute; who has missed two reports is gone. */
const GONE_AFTER_SECONDS = 140;

export type PresenceState = 'active' | 'idle' | 'offline';

export function presenceState(presence: Presence | undefined, nowSeconds: number): PresenceState {
  if (presence === undefined || nowSeconds - presence.atSeconds > GONE_AFTER_SECONDS) {
    return 'offline';
  }
  return presence.status;
}
