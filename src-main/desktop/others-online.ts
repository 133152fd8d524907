import type { ClientState } from '../contract/models/client-state.ts';

/** Reports of presence come about once a minute; two may be lost. */
const PRESENT_FOR_SECONDS = 140;

/** People other than the account's own whose presence was reported lately. */
export function othersOnline(
  { presences, ownUserId }: Pick<ClientState, 'presences' | 'ownUserId'>,
  nowSeconds: number,
): number {
  return Object.entries(presences).filter(
    ([userId, { atSeconds }]) =>
      Number(userId) !== ownUserId && nowSeconds - atSeconds <= PRESENT_FOR_SECONDS,
  ).length;
}

/** What stopping does to others, as a question; undefined where nobody else is there to be asked for. */
export function stopWarning(others: number | undefined): string | undefined {
  if (others === 0) return undefined;
  const after = 'Messages that they write are sent once hosting starts again. Nothing is lost.';
  if (others === undefined) {
    return `Others may be online. They cannot reach the organization while hosting is stopped. ${after}`;
  }
  const who = others === 1 ? 'One other person is online' : `${String(others)} others are online`;
  return `${who} and cannot reach the organization while hosting is stopped. ${after}`;
}
