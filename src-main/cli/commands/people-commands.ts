/** Commands about people. */
import { INVITATION_DAYS, INVITATION_USES } from '#shared/api/bounds.ts';
import { flag, integer, OptionError, text } from '#node/command-line/option.ts';
import { declareCommand, serviceDataDir, sharedOf } from './declare-command.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const isEmail = (given: string): boolean => /^[^\s@,<>]+@[^\s@,<>]+$/.test(given);

function emailsIn(given: readonly string[]): readonly string[] {
  const strange = given.find((each) => !isEmail(each));
  if (strange === undefined) return given;
  throw new OptionError(cliWords('email_argument_invalid', { email: strange }));
}

export const peopleCommands = {
  invite: declareCommand({
    usage: ['[EMAIL...] [options]'],
    summary: 'make links by which people join, and the text to send with them',
    about: `Makes an invitation for each EMAIL, good once and for ten days, or without any one link that many can use, and prints each
with the text to send along. Where somebody is invited already, their link is printed again. The service has to be
running, and others have to reach it.`,
    argument: { name: 'EMAIL', isOptional: true, isRepeated: true },
    options: {
      as: { ...text('EMAIL', 'who invites'), initialText: 'the first administrator' },
      days: integer('N', `how long a link for many is good: 1 to ${String(INVITATION_DAYS)}`, {
        from: 1,
        to: INVITATION_DAYS,
        initial: 7,
      }),
      uses: integer('N', `how many may come by it: 1 to ${String(INVITATION_USES)}`, {
        from: 1,
        to: INVITATION_USES,
        initial: 50,
      }),
      'data-dir': serviceDataDir,
    },
    make: (values, { all, isGiven }) => {
      if (all.length > 0 && (isGiven('days') || isGiven('uses'))) {
        throw new OptionError(cliWords('invitation_bounds_with_email'));
      }
      const { as, days, uses } = values;
      if (as !== null && !isEmail(as)) {
        throw new OptionError(cliWords('as_not_an_email', { email: as }));
      }
      const emails = emailsIn(all);
      return { kind: 'invite', ...sharedOf(values), emails, as, validDays: days, maxUses: uses };
    },
  }),
  'reset-password': declareCommand({
    usage: ['EMAIL [options]'],
    summary: 'make a link to a new password for somebody',
    about: `Prints a link, good once and for a day, with which whoever signs in with EMAIL chooses a new password: opened in a browser, or
pasted in Hearth in place of an address. Where the service does not run the link is good once it does. An organization
that a desktop hosts is asked while Hearth is open.`,
    argument: { name: 'EMAIL' },
    options: { 'data-dir': serviceDataDir },
    make: (values, { all }) => {
      const [email = ''] = emailsIn(all);
      return { kind: 'reset-password', ...sharedOf(values), email };
    },
  }),
  'webhook-targets': declareCommand({
    usage: ['[TARGET...] [options]'],
    summary: 'let outgoing webhook bots reach something inside of this network',
    about: `Lets outgoing webhook bots reach each TARGET inside of this computer's network, and prints all that they may. A TARGET is a name,
an address or a network with a port: jenkins.lan:8080, 10.1.0.7:443, 10.1.0.0/24:443, [fd00::7]:80. This computer's loopback,
link-local addresses, the keys of clouds and the service itself are never reached. The service has to be running; the audit
log tells of it.`,
    argument: { name: 'TARGET', isOptional: true, isRepeated: true },
    options: {
      remove: flag('no longer let them reach each TARGET'),
      'data-dir': serviceDataDir,
    },
    make: (values, { all: targets }) => {
      if (values.remove && targets.length === 0) {
        throw new OptionError(cliWords('target_missing'));
      }
      return { kind: 'webhook-targets', ...sharedOf(values), targets, isRemoved: values.remove };
    },
  }),
};
