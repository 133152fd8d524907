import type { HostingStatus } from '#shared/bridge/models/hosting.ts';

/** What is said of the service that this computer runs. */
export const hostingWords = {
  label: { stopped: 'Hosting is stopped', failed: 'Hosting does not work', starting: 'Starting…' },
  start: 'Start hosting',
  starting: 'Starting…',
  otherPort: 'Other port…',
  retried: 'Hearth keeps trying by itself.',
  meanwhile: 'What you write is sent afterwards.',

  port: {
    title: 'Host on another port',
    intro: 'The address changes with the port, so tell your colleagues the new one.',
    label: 'Port',
    hint: 'A number from 1024 to 65535',
    bad: 'A port is a number from 1024 to 65535.',
    submit: 'Start hosting',
  },

  signIn: {
    title: (organization: string): string =>
      organization === '' ? 'Sign in to your organization' : `Sign in to ${organization}`,
    intro: (isReached: boolean): string =>
      isReached
        ? 'It lives on this computer. Its messages are here, and colleagues can reach it.'
        : 'It lives on this computer, with its messages. Only this computer can reach it until you let others join.',
    downTitle: (organization: string): string =>
      organization === ''
        ? 'Your organization on this computer'
        : `${organization} on this computer`,
    down: 'You can sign in as soon as its service runs.',
    choice: (organization: string): string =>
      organization === ''
        ? 'Sign in to the organization on this computer'
        : `Sign in to ${organization}`,
    choiceHint: 'It lives on this computer.',
    elsewhere: 'Connect to another organization',
  },

  forgotten: {
    button: 'Forgot your password?',
    title: 'Forgot your password?',
    intro:
      'The organization lives on this computer, so you can choose a new password here without the old one. Hearth asks once more before it does so.',
    submit: 'Go on',
  },
} as const;

interface HostingText {
  readonly title: string;
  readonly text: string;
}

const nameOf = (organization: string): string =>
  organization === '' ? 'your organization' : organization;

/** What happened, why, and what becomes of it. */
export function hostingTextOf(status: HostingStatus, organization: string): HostingText {
  const name = nameOf(organization);
  switch (status.phase) {
    case 'stopped':
      return {
        title: `Hosting of ${name} is stopped`,
        text: 'Nobody can reach it until you start it again. Everything you have read is still here.',
      };
    case 'failed':
      return failed(status, name);
    default:
      return { title: `Starting ${name}…`, text: 'This takes a moment.' };
  }
}

function failed(
  { code, reason, port }: HostingStatus & { phase: 'failed' },
  name: string,
): HostingText {
  switch (code) {
    case 'PORT_IN_USE':
      return {
        title: `Another program uses port ${String(port)}`,
        text: `Nobody can reach ${name} while it does. Quit that program, or choose another port.`,
      };
    case 'DATABASE_IN_USE':
      return {
        title: `Another program has the messages of ${name} open`,
        text: 'It may be a second Hearth, or the service without a window. Quit it.',
      };
    case 'HOST_SECRET_MISSING':
      return { title: `The keychain does not have the secret of ${name}`, text: reason };
    case 'HOST_ENDED':
      return { title: `The service of ${name} ended unexpectedly`, text: 'It is started again.' };
    default:
      return { title: `${name} could not be started`, text: reason };
  }
}
