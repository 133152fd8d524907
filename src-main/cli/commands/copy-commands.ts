/** Commands about copies of an organization and about moving it. */
import { resolve } from 'node:path';
import { flag, OptionError, path } from '#node/command-line/option.ts';
import {
  dataDir,
  declareCommand,
  endOfCopies,
  serviceDataDir,
  sharedOf,
} from './declare-command.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const folderToMake = dataDir('the folder to make, empty or not there yet');
const codeFile = path('FILE', 'read the recovery code from a file');
const moveCodeFile = path('FILE', 'read the code from a file');

export const copyCommands = {
  backup: declareCommand({
    usage: ['DIR [options]', '[DIR] --check'],
    summary: 'seal an organization into a file in DIR, also while it is being served',
    about: `Seals an organization into a new file NAME-DATE.hearth in DIR, also while it is being served. Whoever has its recovery
code can open it, and nobody else can. The first run creates that code and prints it once: write it down, and store it away from
this computer.`,
    end: endOfCopies,
    argument: { name: 'DIR', unless: 'check' },
    exclusive: [
      ['plain', 'files-beside'],
      ['plain', 'check'],
      ['files-beside', 'check'],
    ],
    options: {
      'data-dir': serviceDataDir,
      plain: flag('a folder in place of a sealed file: everybody who gets at it can read it'),
      'files-beside': flag(
        'what was uploaded goes into the folder hearth-files beside the archive, sealed, and once for all archives there: a restore needs both',
      ),
      check: flag(
        'make none, but say how old the newest archive is: in DIR, or without it the last one, wherever it went. Ends with 1 where there is none, or none of the last two days',
      ),
    },
    make: (values, { all: [given] }) => {
      const shared = sharedOf(values);
      if (values.check) {
        const folder = given === undefined ? null : resolve(given);
        return { kind: 'check-backups', folder, ...shared };
      }
      const { plain: isPlain, 'files-beside': areFilesBeside } = values;
      return { kind: 'backup', into: resolve(given ?? ''), isPlain, areFilesBeside, ...shared };
    },
  }),
  restore: declareCommand({
    usage: ['FILE [options]'],
    summary: 'make a data folder out of such a file',
    about: `Makes a data folder out of a sealed archive. It says which organization it is and of when, and asks before it does
anything. The recovery code is asked for at a terminal, and otherwise read from standard input. Afterwards everybody
signs in anew, with the password that they had when the archive was made; invitations and links to a new password are
void; and no number that the organization gave to anything comes again. The organization is closed to everybody but
administrators at this computer until "open" is given the number that is printed. Never serve the old data folder again.`,
    end: endOfCopies,
    argument: { name: 'FILE' },
    exclusive: [['keep-keys', 'stolen']],
    options: {
      'data-dir': folderToMake,
      'code-file': codeFile,
      show: flag('only say what the archive is'),
      yes: flag('do not ask'),
      'keep-keys': flag(
        'leave everybody signed in: only where nobody was shut out since the archive was made',
      ),
      stolen: flag(
        'somebody else has the old computer, and with it the keys of the organization: as "stolen" does',
      ),
      'accept-damage': flag(
        'restore what can be read of a damaged archive whose messages are whole',
      ),
    },
    make: (values, { argument }) => ({
      kind: 'restore',
      ...sharedOf(values),
      file: resolve(argument),
      codeFile: values['code-file'],
      isAgreed: values.yes,
      isOnlyShown: values.show,
      keepsKeys: values['keep-keys'],
      isStolen: values.stolen,
      acceptsDamage: values['accept-damage'],
    }),
  }),
  open: declareCommand({
    usage: ['NUMBER [options]'],
    summary: 'let people into a restored organization again',
    about: `Lets people into an organization that was restored. Until then only administrators at this computer are let in: changes since the
backup may be missing, and with them whom somebody has shut out. NUMBER is printed by "restore", and by the service whenever it
starts. What people have written meanwhile is sent once the organization is open.`,
    argument: { name: 'NUMBER' },
    options: { 'data-dir': serviceDataDir },
    make: (values, { argument: number }) => ({ kind: 'open', ...sharedOf(values), number }),
  }),
  stolen: declareCommand({
    usage: ['[options]'],
    summary: 'say that somebody else has the old computer of a restored organization',
    about: `Says that somebody else has the computer from which an organization was restored, and with it the organization's keys. The
service has to be stopped. A key that was made for this, and that only the recovery code opens, takes the place of the
organization's own; everything that the old secret has made ends: API keys, links, invitations. Hearth on people's computers
knows the new key beforehand, goes on with it by itself, asks everybody for their password once, and tells the old computer
nothing any more. The recovery code is asked for at a terminal, and otherwise read from standard input.`,
    options: {
      'data-dir': dataDir('the data folder of the restored organization'),
      'code-file': codeFile,
    },
    make: (values) => ({ kind: 'stolen', ...sharedOf(values), codeFile: values['code-file'] }),
  }),
  'recovery-code': declareCommand({
    usage: ['[options]'],
    summary: 'create or replace the code that opens such files',
    about: `Creates the organization's recovery code and prints it. The code opens every archive that "backup" seals from then on. It is
printed once, and Hearth does not keep it: write it down, and store it away from this computer.`,
    options: {
      'data-dir': serviceDataDir,
      new: flag(
        'replace the recovery code. Archives that were sealed before still need the old one',
      ),
    },
    make: (values) => ({ kind: 'recovery-code', ...sharedOf(values), isNew: values.new }),
  }),
  'move-out': declareCommand({
    usage: ['[options]'],
    summary: 'make a code with which another computer takes an organization over',
    about: `Prints a code, valid once and for ten minutes, with which another computer takes the organization over ("move-in"). The
service has to be running. It closes when the other computer comes, and is handed over with everything that it has:
messages, files, keys. Until then the move can be called off here; afterwards this computer never serves it again.`,
    options: {
      'call-off': flag('end a move that has not handed over, and open the organization here again'),
      'data-dir': serviceDataDir,
    },
    make: (values) => ({
      kind: 'move-out',
      ...sharedOf(values),
      isCalledOff: values['call-off'],
    }),
  }),
  'move-in': declareCommand({
    usage: ['[options]'],
    summary: 'take one over from another computer',
    about: `Takes an organization over from the computer that has shown a code ("move-out"), while both are there. The code is asked for at a
terminal, and otherwise read from standard input. Interrupted, it goes on when the same command is given again, with the same code.
Whoever uses the organization stays signed in.`,
    // On a command line others can read it.
    argument: { name: 'CODE', isOptional: true, isHidden: true },
    options: { 'data-dir': folderToMake, 'code-file': moveCodeFile },
    make: ({ 'code-file': file, ...values }, { all: [code = null] }) => {
      if (code !== null && file !== null) {
        throw new OptionError(cliWords('move_code_twice'));
      }
      return { kind: 'move-in', ...sharedOf(values), code, codeFile: file };
    },
  }),
};
