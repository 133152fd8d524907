/** Why an organization cannot be reached, as it is looked for. */
import type { CheckName, CheckStep } from '#shared/bridge/models/connection-check.ts';

export const checkWords = {
  ask: 'What is wrong?',
  title: 'What is wrong?',
  looking: 'Looking at the way to the organization. This takes some seconds…',
  list: 'What was looked at',
  again: 'Look again',
  copy: 'Copy report',
  copied: 'Copied. Send it to whoever helps: it has names and addresses, and no password.',
  notCopied: 'The clipboard could not be used.',

  steps: {
    name: 'The name leads to an address',
    address: 'A computer is at the address',
    port: 'A program listens at the port',
    tls: 'It speaks with encryption',
    identity: 'It has the right key',
    clock: 'The clocks agree',
    version: 'It is a Hearth service that fits',
    signIn: 'It accepts your sign-in',
  } satisfies Record<CheckName, string>,

  results: {
    passed: 'yes',
    failed: 'no',
    'left-out': 'not needed',
    'not-reached': 'not looked at yet',
  } satisfies Record<CheckStep['result'], string>,
} as const;
