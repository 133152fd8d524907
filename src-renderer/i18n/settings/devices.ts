/** What is said of where somebody is signed in, and of links to a new password. */
const place = (address: string | null): string => (address === null ? '' : ` from ${address}`);

export const deviceWords = {
  title: 'Where you are signed in',
  hint: 'Every computer and browser has a key of its own. Sign out whatever you do not use any more or do not know.',
  current: 'This device',
  /** @param day  `today`, or the name of another day */
  used: (day: string, address: string | null): string => `Last used ${day}${place(address)}`,
  unused: (day: string): string => `Signed in ${day}, not used since`,
  signOut: 'Sign out…',
  signOutLabel: (name: string): string => `Sign out ${name}`,
  signOutTitle: (name: string): string => `Sign out ${name}?`,
  signOutText:
    'Its key stops working at once. Whoever uses it needs your e-mail address and password to come back.',
  signOutRun: 'Sign out',
  others: 'Sign out all others…',
  othersTitle: 'Sign out all other devices?',
  othersText:
    'Only this one stays signed in. Programs that use your API key go on. If somebody knows your password, change it under Profile: that ends everything at once.',
  othersRun: 'Sign out all others',
  none: 'You are signed in on no other device.',
  account: {
    title: 'Other programs',
    name: 'API key of your account',
    hint: 'One key for all programs that do not sign in as a device. It is shown under API key.',
    unused: 'Never used',
    renew: 'Renew…',
    renewLabel: 'Renew the API key',
    renewTitle: 'Renew your API key?',
    renewText:
      'The present key stops working at once: programs that use it need the new one. Your devices stay signed in.',
    renewRun: 'Renew',
    renewed: 'Your API key is renewed.',
  },
} as const;

/** The same of somebody else, to an administrator. */
export const accessWords = {
  open: 'Sign-in…',
  openLabel: (name: string): string => `Sign-in of ${name}`,
  title: (name: string): string => `Sign-in of ${name}`,
  devices: 'Devices',
  none: 'Not signed in on any device.',
  signOutText:
    'Its key stops working at once. Whoever uses it needs the e-mail address and password to come back.',
  account: (use: string): string => `API key for other programs: ${use}`,
  unused: 'never used',
  used: (day: string, address: string | null): string => `last used ${day}${place(address)}`,
  everywhere: 'Sign out everywhere…',
  everywhereTitle: (name: string): string => `Sign ${name} out everywhere?`,
  everywhereText:
    'All devices are signed out, and the API key for other programs becomes another one. Their password stays: they can sign in with it again.',
  everywhereRun: 'Sign out everywhere',
  forgotten: 'Forgotten password',
  forgottenHint:
    'Make a link and pass it on: Hearth sends no e-mail. With it they choose a new password, once, within a day.',
  ownPasswordHint:
    'Whoever has such a link can sign in as this person, so it takes more than being signed in.',
  make: 'Make a link',
  makeAnother: 'Make another link',
  link: 'Link to a new password',
  copyLink: 'Copy link',
  linkHint: (until: string): string =>
    `Good until ${until}. Whoever has it can choose the password: give it to nobody else. Another link ends it.`,
  everywhereDone: (name: string): string => `${name} is signed out everywhere.`,
} as const;
