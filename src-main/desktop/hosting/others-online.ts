import { PRESENCE_SECONDS } from '#shared/api/bounds.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';

/** People other than the account's own whose presence was reported lately. */
export function othersOnline(
  { presences, ownUserId }: Pick<ClientState, 'presences' | 'ownUserId'>,
  nowSeconds: number,
): number {
  return Object.entries(presences).filter(
    ([userId, { atSeconds }]) =>
      Number(userId) !== ownUserId && nowSeconds - atSeconds <= PRESENCE_SECONDS,
  ).length;
}

/** Until when nobody reaches the organization. */
const untils = {
  stop: 'while hosting is stopped',
  quit: 'until Hearth is open here again',
} as const;

/**
 * What the end of hosting does to others, as a question; undefined where nobody else is there to be asked for.
 * @param others  undefined where it is not known
 */
export function stopWarning(
  others: number | undefined,
  way: keyof typeof untils = 'stop',
): string | undefined {
  if (others === 0) return undefined;
  const after = 'Messages that they write are sent once hosting starts again. Nothing is lost.';
  const until = untils[way];
  if (others === undefined) {
    return `Others may be online. They cannot reach the organization ${until}. ${after}`;
  }
  const who = others === 1 ? 'One other person is online' : `${String(others)} others are online`;
  return `${who} and cannot reach the organization ${until}. ${after}`;
}
