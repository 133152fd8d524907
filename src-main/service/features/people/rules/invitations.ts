/** Invitations (API decisions 7.6 and 13). */
import { INVITATION_DAYS, INVITATION_USES } from '#shared/api/bounds.ts';
import type { ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Role } from '#shared/policies/actor.ts';
import { fold } from '#shared/text/fold.ts';
import { checkEmail } from '#service/core/rules/names.ts';

const DAY_SECONDS = 86_400;

/** In a day, of the whole organization. */
export const MAX_PER_DAY = 100;

/** In one request, those that are named twice and empty lines included. */
const MAX_ADDRESSES = 1000;

export const daysBefore = (nowSeconds: number, days: number): number =>
  nowSeconds - days * DAY_SECONDS;

/** What counts for the limit of a day. */
export const dayBefore = (nowSeconds: number): number => daysBefore(nowSeconds, 1);

/** Days for which the link of one person is good. */
export const OWN_DAYS = 10;

/** UNIX seconds until which a link is good. @param days  ten unless it is for many */
export const expiryOf = (nowSeconds: number, days = OWN_DAYS): number =>
  nowSeconds + days * DAY_SECONDS;

function checkRange(name: string, value: number, highest: number): void {
  if (value >= 1 && value <= highest) return;
  throw refusal('invitation_bound_invalid', { argument: name, highest, value });
}

/** What a link for many may be. @throws BAD_REQUEST */
export function checkBounds({
  validDays,
  maxUses,
}: Readonly<Record<'validDays' | 'maxUses', number>>): void {
  checkRange('valid_days', validDays, INVITATION_DAYS);
  checkRange('max_uses', maxUses, INVITATION_USES);
}

const roles = ['member', 'admin', 'guest'] as const satisfies readonly Role[];

/** @param invitedAs  1 member, 2 administrator, 3 guest */
export const roleOf = (invitedAs: 1 | 2 | 3): Role => roles[invitedAs - 1] ?? 'member';
export const numberOf = (role: Role): number => roles.indexOf(role) + 1;

type Failure = readonly [email: string, reason: string, isMember: boolean];

/** Keys of an answer with INVITATION_FAILED. */
const failureKeys = (
  errors: readonly Failure[],
  isAnySent: boolean,
): Readonly<Record<string, unknown>> => ({ errors, sent_invitations: isAnySent });

export const tooManyToday = (limit: number): ServiceError =>
  refusal('too_many_invited_today', { limit }, failureKeys([], false));

export interface Invitee {
  readonly email: string;
  readonly emailKey: string;
}

/** `Ana Ruiz <ana@example.com>` is an address with its owner's name. */
const bare = (written: string): string => /<([^<>]*)>\s*$/.exec(written)?.[1] ?? written;

/**
 * The addresses of a text, each once, whatever the letter case.
 * @throws BAD_REQUEST when there is none or more than 1000, INVITATION_FAILED when one is no address: then nobody is invited
 */
export function readInvitees(text: string): readonly Invitee[] {
  const parts = text.split(/[,\n]/, MAX_ADDRESSES + 1);
  if (parts.length > MAX_ADDRESSES) {
    throw refusal('too_many_invitees', { limit: MAX_ADDRESSES });
  }
  const written = parts.map((each) => each.trim()).filter((each) => each !== '');
  if (written.length === 0) throw refusal('invitees_missing');
  const invitees = new Map<string, Invitee>();
  const failures: Failure[] = [];
  for (const each of written) {
    try {
      const email = checkEmail(bare(each));
      invitees.set(fold(email), { email, emailKey: fold(email) });
    } catch {
      failures.push([each.slice(0, 254), 'Invalid address.', false]);
    }
  }
  if (failures.length > 0) {
    const told = failures.slice(0, MAX_PER_DAY);
    const reasons = told.map(() => 'invalid' as const);
    throw refusal('invitees_invalid', { reasons }, failureKeys(told, false));
  }
  return [...invitees.values()];
}

/** An address that was not invited, and why. */
export interface Uninvited {
  readonly email: string;
  readonly why: 'member' | 'deactivated' | 'invited';
}

const reasons: Readonly<Record<Uninvited['why'], string>> = {
  member: 'Already has an account.',
  deactivated: 'Already has an account, which is deactivated.',
  invited: 'Already invited.',
};

/** What is answered when some were not invited; undefined when all were. */
export function failureOf(uninvited: readonly Uninvited[], wanted: number): Error | undefined {
  if (uninvited.length === 0) return undefined;
  const isAnySent = uninvited.length < wanted;
  const errors = uninvited.map(
    ({ email, why }) => [email, reasons[why], why !== 'invited'] as const,
  );
  return refusal(
    isAnySent ? 'some_not_invited' : 'nobody_invited',
    { reasons: uninvited.map(({ why }) => why) },
    failureKeys(errors, isAnySent),
  );
}
