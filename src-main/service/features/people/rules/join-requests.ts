/** Requests to join (API decisions 15.20). */
import { ABOUT_CHARACTERS } from '#shared/api/bounds.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Distance } from '#service/core/ports/handlers.ts';
import type { JoinRequestCounts } from '#service/db/port.ts';
import { checkLine, checkVisible } from '#service/core/rules/names.ts';
import type { RealmSettings } from '#service/core/rules/organization-settings.ts';
import { daysBefore, expiryOf, OWN_DAYS } from './invitations.ts';

const VALID_DAYS = 7;
const MAX_OPEN = 50;
/** Of one address. */
const MAX_OPEN_NEAR = 10;
const MAX_PER_DAY = 100;

/** UNIX seconds until which a request can be decided on. */
export const requestExpiryOf = (nowSeconds: number): number => expiryOf(nowSeconds, VALID_DAYS);

/** What was decided on and ended before is forgotten: an invitation that came of it is good no more. */
export const decidedBefore = (nowSeconds: number): number => daysBefore(nowSeconds, OWN_DAYS);

/** Policies: 1 nobody, 2 people in the same network, 3 everybody who reaches the service. */
export function mayAsk(
  { ask_to_join_policy: policy }: Pick<RealmSettings, 'ask_to_join_policy'>,
  distance: Distance,
): boolean {
  // A page of somebody else can make every browser ask that is in the network.
  if (distance === 'foreign') return false;
  return policy === 3 || (policy === 2 && distance === 'near');
}

/**
 * Whether whoever asks again is known to be at the computer from which they asked before. Many people share a network of
 * IPv6, or what passes on the requests from elsewhere.
 */
export const canReplace = (from: {
  readonly address: string;
  readonly distance: Distance;
}): boolean => from.distance === 'near' && !from.address.includes(':');

/** The same words whoever asks: how many there are says nothing of an address. @throws BAD_REQUEST */
export function checkRoom({ open, near, recent }: JoinRequestCounts): void {
  if (open < MAX_OPEN && near < MAX_OPEN_NEAR && recent < MAX_PER_DAY) return;
  throw refusal('too_many_join_requests');
}

/** One line; empty where somebody says nothing of themselves. @throws BAD_REQUEST */
export function checkAbout(about: string): string {
  const line = about.replace(/[\r\n\u2028\u2029]+/g, ' ').trim();
  if (line === '') return line;
  return checkVisible(checkLine(line, 'about', ABOUT_CHARACTERS), 'about_pronoun');
}

/** Four digits that whoever asked and whoever decides compare. @param secretHash  hexadecimal */
export const numberOf = (secretHash: string): string =>
  String(parseInt(secretHash.slice(0, 8), 16) % 10_000).padStart(4, '0');
