/** What whoever was invited reads, and what is sent to them. */
import { PASSWORD_CHARACTERS } from '#shared/api/bounds.ts';

export const invitationWords = {
  title: (organization: string): string =>
    organization === '' ? 'You are invited' : `Join ${organization}`,
  looking: 'Looking for the organization…',
  invited: (inviter: string, organization: string): string =>
    `${inviter} invites you to ${organization}.`,
  account: (email: string): string => `You will sign in with ${email}.`,
  email: 'E-mail address',
  emailHint: 'You will sign in with it. Nothing is sent to it.',
  fullName: 'Your name',
  password: 'Password',
  passwordHint: `At least ${PASSWORD_CHARACTERS.least} characters. A few words are easy to remember and hard to guess.`,
  submit: 'Join',
  busy: 'Joining…',
  again: 'Try again',

  copyText: 'Copy invitation',
  shut: 'Only this computer can reach the organization, so nobody could use an invitation.',
} as const;
