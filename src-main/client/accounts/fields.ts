/** Refusals of what somebody typed into a form. */
import type { CauseName } from '#shared/api/causes.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { type ApiFailure, refusal } from '../transport/answers.ts';

const byCause: Readonly<Partial<Record<CauseName, string>>> = {
  full_name_length: 'fullName',
  full_name_characters: 'fullName',
  email_invalid: 'email',
  email_taken: 'email',
  email_has_account: 'email',
  invitation_for_other_email: 'email',
  invitee_email_missing: 'email',
  password_too_short: 'password',
  password_too_long: 'password',
};

/** By what a refused line is called. */
const byLine: Readonly<Record<string, string>> = {
  full_name: 'fullName',
  email: 'email',
  about: 'about',
  about_pronoun: 'about',
};

/**
 * What the service has against something that was typed belongs beside its field. An earlier service names no cause: then it
 * belongs to none.
 */
export function fieldRefusal(refused: ApiFailure): Outcome<never> {
  const { cause } = refused;
  if (refused.argument !== undefined || cause === undefined) return refusal(refused);
  const names: Readonly<Record<string, string>> = byCause;
  const argument = names[cause.name] ?? byLine[String(cause.values['what'])];
  return refusal(argument === undefined ? refused : { ...refused, argument });
}
