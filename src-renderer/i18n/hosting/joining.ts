/** What whoever asks to join reads, and whoever decides on it. */
import { ABOUT_CHARACTERS } from '#shared/api/bounds.ts';

export const joiningWords = {
  nearby: 'Organizations in this network',
  nearbyHint:
    'As they call themselves. Whoever invites you tells you by which words to know the right one.',
  nearbyNoAccount:
    'No account there yet? Choose it and ask to join, or paste a link that invites you as the address.',

  ask: 'Ask to join',
  noAccount: 'No account and no invitation?',
  noAddress: 'Enter an address, or choose an organization, to ask there',

  form: {
    title: (organization: string): string =>
      organization === '' ? 'Ask to join' : `Ask to join ${organization}`,
    intro: 'An administrator decides. Once they have accepted you, you choose a password here.',
    fullName: 'Your name',
    email: 'E-mail address',
    emailHint: 'You will sign in with it. Nothing is sent to it.',
    about: 'Who are you? (optional)',
    aboutHint: `What tells an administrator that it is you. At most ${ABOUT_CHARACTERS} characters.`,
    submit: 'Send request',
    busy: 'Sending…',
  },

  asked: {
    title: (organization: string): string => `You asked to join ${organization}`,
    waiting: (organization: string): string =>
      `An administrator of ${organization} decides. You may close Hearth: what became of it shows here when you open it again.`,
    waitingInBrowser: (organization: string): string =>
      `An administrator of ${organization} decides. You may close this page: what became of it shows here when you open it again in this browser.`,
    number: 'Your number',
    numberHint: 'Whoever decides sees the same number. Tell it them, so that they know it is you.',
    until: (day: string): string => `The request ends on ${day}.`,
    unreached: 'The organization does not answer at the moment. Hearth goes on asking.',
    as: (name: string, email: string): string => `As ${name}, ${email}`,
    accepted: (organization: string): string => `You may join ${organization}.`,
    goOn: 'Choose a password',
    declined: (organization: string): string =>
      `An administrator of ${organization} declined your request.`,
    ended: 'Your request has ended: nobody decided in time, or it was taken back.',
    again: 'Ask again',
    takeBack: 'Withdraw the request',
    forget: 'Remove',
    elsewhere: 'Sign in elsewhere',
    goBack: (organization: string): string => `Your request to join ${organization}`,
  },

  settings: {
    title: 'Requests to join',
    hint: 'People without an account who want to join. Ask for their number before you accept: anybody can write any name and address.',
    none: 'Nobody asks to join.',
    who: 'Who may ask to join',
    whoHint:
      'People in the same network find the organization by itself. Where it is reached by a public address, nobody counts as being in the same network.',
    policies: [
      [1, 'Nobody'],
      [2, 'People in the same network'],
      [3, 'Everybody who reaches the sign-in page'],
    ],
    number: (number: string): string => `Number ${number}`,
    from: (address: string, when: string): string => `From ${address}, ${when}`,
    times: (times: number): string =>
      `Asked with this address ${String(times)} times, from different places. Only the first one gets in.`,
    active: 'This address has an account already. Make a link to a new password instead.',
    deactivated: 'This address has a deactivated account. Activate it again instead.',
    looksLike: (names: string): string => `The name looks like that of ${names}.`,
    accept: 'Accept',
    acceptLabel: (name: string): string => `Accept the request of ${name}`,
    decline: 'Decline',
    declineLabel: (name: string): string => `Decline the request of ${name}`,
  },

  notice: (count: number): string =>
    count === 1 ? 'Somebody asks to join.' : `${String(count)} people ask to join.`,
  look: 'Look at it',
} as const;
