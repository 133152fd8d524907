import type { UnreadSummary } from '#shared/policies/unread-counts.ts';
import { words } from './common.ts';

/** `(3) deploys – Office`: what is unread, where the window is, which organization it is. */
export const windowTitle = (
  { titlePrefix }: Pick<UnreadSummary, 'titlePrefix'>,
  place: string,
  realmName: string,
): string => {
  const name = realmName === '' ? words.product : realmName;
  return place === '' ? `${titlePrefix}${name}` : `${titlePrefix}${place} – ${name}`;
};
