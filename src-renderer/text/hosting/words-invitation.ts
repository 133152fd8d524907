import { words } from '../words.ts';

/** What whoever was invited reads, and what is sent to them. */
export const invitationWords = {
  title: (realm: string): string => (realm === '' ? 'You are invited' : `Join ${realm}`),
  looking: 'Looking for the organization…',
  invited: (inviter: string, realm: string): string => `${inviter} invites you to ${realm}.`,
  account: (email: string): string => `You will sign in with ${email}.`,
  email: 'E-mail address',
  emailHint: 'You will sign in with it. Nothing is sent to it.',
  fullName: 'Your name',
  password: 'Password',
  passwordHint: 'At least 8 characters. A few words are easy to remember and hard to guess.',
  submit: 'Join',
  busy: 'Joining…',
  again: 'Try again',

  copyText: 'Copy invitation',
  /** To be pasted into a mail or a message. */
  text: (realm: string, link: string, isForBrowsers: boolean): string =>
    isForBrowsers
      ? `You are invited to ${realm}. Open this link in a browser, or paste it in Hearth under “Connect”:\n\n${link}`
      : [
          `You are invited to ${realm} on Hearth.`,
          '1. Get Hearth and open it. Be in the same network as I am, not in the one for guests.',
          `2. Click the link below, or choose “${words.start.connect}” and paste this whole text:`,
          '',
          link,
        ].join('\n'),
  shut: 'Only this computer can reach the organization, so nobody could use an invitation.',
} as const;
