/** What commands print of themselves. */
import { commandName } from '#node/own-command.ts';

const dataDirLine = (dataDir: string): string =>
  `  --data-dir DIR   the data folder of the service (default: ${dataDir})`;
const statuses = `  --json           print one JSON object in place of sentences
  --help           print this and end

Exit status: 0 done; 1 not done, and one sentence on standard error says why; 2 options that do not go together`;
const endOf = `${statuses}.\n`;
/** Of commands that make or read a copy. */
const endOfCopies = `${statuses};
3 done, but for files that the data folder itself has lost.
`;
const shared = (dataDir: string): string => `${dataDirLine(dataDir)}\n${endOf}`;

export const backupUsage = (dataDir: string): string => `Usage: ${commandName} backup DIR [options]
       ${commandName} backup [DIR] --check

Seals an organization into a new file NAME-DATE.hearth in DIR, also while it is being served. Whoever has its recovery
code can open it, and nobody else can. The first run creates that code and prints it once: write it down, and store it away from
this computer.

${dataDirLine(dataDir)}
  --plain          a folder in place of a sealed file: everybody who gets at it can read it
  --files-beside   what was uploaded goes into the folder hearth-files beside the archive, sealed, and once for all
                   archives there: a restore needs both
  --check          make none, but say how old the newest archive is: in DIR, or without it the last one, wherever it went.
                   Ends with 1 where there is none, or none of the last two days
${endOfCopies}`;

export const moveOutUsage = (dataDir: string): string => `Usage: ${commandName} move-out [options]

Prints a code, valid once and for ten minutes, with which another computer takes the organization over ("move-in"). The
service has to be running. It closes when the other computer comes, and is handed over with everything that it has:
messages, files, keys. Until then the move can be called off here; afterwards this computer never serves it again.

  --call-off       end a move that has not handed over, and open the organization here again
${shared(dataDir)}`;

export const inviteUsage = (
  dataDir: string,
): string => `Usage: ${commandName} invite [EMAIL...] [options]

Makes an invitation for each EMAIL, good once and for ten days, or without any one link that many can use, and prints each
with the text to send along. Where somebody is invited already, their link is printed again. The service has to be
running, and others have to reach it.

  --as EMAIL       who invites (default: the first administrator)
  --days N         how long a link for many is good: 1 to 30 (default: 7)
  --uses N         how many may come by it: 1 to 500 (default: 50)
${shared(dataDir)}`;

export const openUsage = (dataDir: string): string => `Usage: ${commandName} open NUMBER [options]

Lets people into an organization that was restored. Until then only administrators at this computer are let in: changes since the
backup may be missing, and with them whom somebody has shut out. NUMBER is printed by "restore", and by the service whenever it
starts. What people have written meanwhile is sent once the organization is open.

${shared(dataDir)}`;

export const serviceUsage = (
  dataDir: string,
): string => `Usage: ${commandName} service install|uninstall|status [options] [-- SERVE OPTIONS]

Has the system serve Hearth by itself: systemd on Linux, launchd on macOS. "install" also takes what is there already and writes it
anew; what stands behind -- is handed to the service, as in: service install -- --host 0.0.0.0. An organization whose keys are
in the keychain of a desktop cannot be served like this.

  --system         for the whole computer, from its start on (as root, with --data-dir), in place of your account
${shared(dataDir)}`;

export const resetPasswordUsage = (
  dataDir: string,
): string => `Usage: ${commandName} reset-password EMAIL [options]

Prints a link, good once and for a day, with which whoever signs in with EMAIL chooses a new password: opened in a browser, or
pasted in Hearth in place of an address. Where the service does not run the link is good once it does. An organization
that a desktop hosts is asked while Hearth is open.

${shared(dataDir)}`;

export const webhookTargetsUsage = (
  dataDir: string,
): string => `Usage: ${commandName} webhook-targets [TARGET...] [options]

Lets outgoing webhook bots reach each TARGET inside of this computer's network, and prints all that they may. A TARGET is a name,
an address or a network with a port: jenkins.lan:8080, 10.1.0.7:443, 10.1.0.0/24:443, [fd00::7]:80. This computer's loopback,
link-local addresses, the keys of clouds and the service itself are never reached. The service has to be running; the audit
log tells of it.

  --remove         no longer let them reach each TARGET
${shared(dataDir)}`;

export const restoreUsage = (
  dataDir: string,
): string => `Usage: ${commandName} restore FILE [options]

Makes a data folder out of a sealed archive. It says which organization it is and of when, and asks before it does
anything. The recovery code is asked for at a terminal, and otherwise read from standard input. Afterwards everybody
signs in anew, with the password that they had when the archive was made; invitations and links to a new password are
void; and no number that the organization gave to anything comes again. The organization is closed to everybody but
administrators at this computer until "open" is given the number that is printed. Never serve the old data folder again.

  --data-dir DIR   the folder to make, empty or not there yet (default: ${dataDir})
  --code-file FILE read the recovery code from a file
  --show           only say what the archive is
  --yes            do not ask
  --keep-keys      leave everybody signed in: only where nobody was shut out since the archive was made
  --stolen         somebody else has the old computer, and with it the keys of the organization: as "stolen" does
  --accept-damage  restore what can be read of a damaged archive whose messages are whole
${endOfCopies}`;

export const recoveryCodeUsage = (
  dataDir: string,
): string => `Usage: ${commandName} recovery-code [options]

Creates the organization's recovery code and prints it. The code opens every archive that "backup" seals from then on. It is
printed once, and Hearth does not keep it: write it down, and store it away from this computer.

${dataDirLine(dataDir)}
  --new            replace the recovery code. Archives that were sealed before still need the old one
${endOf}`;

export const stolenUsage = (dataDir: string): string => `Usage: ${commandName} stolen [options]

Says that somebody else has the computer from which an organization was restored, and with it the organization's keys. The
service has to be stopped. A key that was made for this, and that only the recovery code opens, takes the place of the
organization's own; everything that the old secret has made ends: API keys, links, invitations. Hearth on people's computers
knows the new key beforehand, goes on with it by itself, asks everybody for their password once, and tells the old computer
nothing any more. The recovery code is asked for at a terminal, and otherwise read from standard input.

  --data-dir DIR   the data folder of the restored organization (default: ${dataDir})
  --code-file FILE read the recovery code from a file
${endOf}`;

export const moveInUsage = (
  dataDir: string,
): string => `Usage: ${commandName} move-in CODE [options]

Takes an organization over from the computer that has shown CODE ("move-out"), while both are there. Interrupted, it goes on
when the same command is given again. Whoever uses the organization stays signed in.

  --data-dir DIR   the folder to make, empty or not there yet (default: ${dataDir})
${endOf}`;
