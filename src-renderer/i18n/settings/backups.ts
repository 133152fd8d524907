import { count } from '../count.ts';
import { size } from '../size.ts';

/** What is said of backups and of restoring. */
export const backupWords = {
  intro:
    'The organization lives on this computer. The backups have all of its messages, files and keys, sealed: with their folder and the recovery code, any computer can go on as the same organization.',

  last: {
    title: 'Last backup',
    none: 'There is no backup yet.',
    made: (moment: string): string => `Made ${moment}`,
    content: (messages: number, bytes: number): string =>
      `${count(messages, 'message', 'messages')}, ${size(bytes)}`,
    lost: (files: number): string =>
      `${count(files, 'file is', 'files are')} missing on this computer itself. Look for them in an older backup.`,
    failed: (moment: string): string => `The backup of ${moment} failed.`,
    now: 'Back up now',
    busy: 'Backing up…',
  },

  copy: {
    title: 'A copy of your own',
    hint: 'A copy of everything as it is now. Hearth never removes it.',
    sealedName: 'One sealed file',
    sealed: 'Save a sealed file…',
    sealedHint: 'Opens with the recovery code.',
    plainName: 'A folder',
    plain: 'Save an unsealed folder…',
    plainHint:
      'An SQLite database and the uploaded files. Everybody who gets the folder can read it.',
    busy: 'Saving…',
    saved: (messages: number, bytes: number): string =>
      `Saved ${count(messages, 'message', 'messages')}, ${size(bytes)}:`,
  },

  place: {
    title: 'Where and when',
    folder: 'Folder',
    sameDisk:
      'It is on the same disk as the messages. Choose one on another disk, or one that a service copies elsewhere: a stolen or broken computer then takes nothing with it.',
    otherDisk: 'It is on another disk than the messages.',
    choose: 'Choose a folder…',
    time: 'Every day at',
    timeHint: 'If the computer is off then, the backup is made as soon as it is on.',
    kept: 'Hearth keeps one backup a day for a week, one a week for a month and one a month for a year, and removes the others.',
    badTime: 'Enter a time such as 12:30.',
  },

  code: {
    title: 'Recovery code',
    hint: 'Thirteen words that open the backups. Nothing else does, and Hearth cannot look them up.',
    none: 'It is made with the first backup.',
    unconfirmed: 'Nobody has written it down yet.',
    confirmed: 'Somebody has written it down.',
    show: 'Show the code…',
    another: 'Make another code…',
    dialog: 'Recovery code',
    write:
      'Write these words down on paper and keep them away from this computer. With them and a backup anybody can read everything.',
    written: 'I have written them down',
    again: 'Type the words once more. Four letters of each are enough.',
    label: 'Recovery code',
    back: 'Show the words again',
    confirm: 'Done',
    done: 'The recovery code is written down. Hearth no longer keeps it.',
    lost: 'The code was shown once, and Hearth does not keep it. If nobody has it, make another one.',
  },

  stolen: {
    title: 'If somebody else has the keys',
    name: 'A computer that hosted the organization was lost or stolen',
    hint: 'Whoever has its disk has the keys. The organization can go on with others, which only the recovery code opens.',
    button: 'Report it as stolen…',
    dialog: 'Continue with new keys',
    effects: [
      'Everybody signs in once more with their password, here too.',
      'Hearth on people’s computers follows by itself, and tells the old computer nothing any more.',
      'Open invitations end, and bots and other programs need new keys.',
    ],
    first:
      'Have messages that a restore has lost given back first: afterwards nobody can prove that they were sent.',
    submit: 'Continue with new keys',
    done: 'The organization goes on with other keys, and a backup with them is being made. Sign in again to go on here.',
  },

  notice: {
    failed: (reason: string): string => `No backup was made. ${reason}`,
    code: 'Nobody has written down the recovery code yet. Without it no backup opens.',
    disk: 'The backups are on the same disk as the messages. Choose another one, so that they survive this computer.',
    open: 'Backups…',
    later: 'Not now',
  },

  restore: {
    choice: 'Restore an organization',
    choiceHint: 'From a backup, on this computer.',
    title: 'Restore an organization',
    intro:
      'You need the folder with the backups and the recovery code. A backup is a file that ends with “.hearth”; the folder “hearth-files” belongs beside it.',
    file: 'Backup',
    noFile: 'No file chosen',
    choose: 'Choose a file…',
    missingFile: 'Choose the backup first.',
    code: 'Recovery code',
    codeHint: 'Thirteen words. Four letters of each are enough.',
    open: 'Open the backup',
    opening: 'Opening…',
    asOf: (moment: string): string => `As it was on ${moment}`,
    content: (messages: number, files: number): string =>
      `${count(messages, 'message', 'messages')}, ${count(files, 'file', 'files')}`,
    words: 'Safety words',
    closed:
      'It stays closed to everybody but administrators on this computer until you have read what may be missing and open it.',
    missing: 'What was written or changed after that moment is not in this backup.',
    givenBack: 'Messages that people’s computers still have come back: Hearth offers them there.',
    notGivenBack:
      'Messages that people’s computers still have do not come back then. If you need them, restore without this, have them given back, and report the computer as stolen in Settings → Backups.',
    question: 'Was anybody shut out since, or did anybody change a password?',
    anew: 'Yes, or I do not know',
    anewHint: 'Everybody signs in once more with their password.',
    keep: 'No',
    keepHint: 'Everybody stays signed in.',
    stolen: 'The old computer was lost or stolen',
    stolenHint:
      'Whoever has its disk has the keys of the organization. It goes on with a key that only the recovery code opens: everybody signs in once more with their password, Hearth tells the old computer nothing any more, and bots and other programs need new keys.',
    noKeys: 'This backup has no keys: everybody signs in once more with their password.',
    submit: 'Restore',
    restoring: 'Restoring…',
    accept: 'Restore what can be read',
    another: 'Choose another backup',
  },

  keys: {
    button: 'Recovery code…',
    title: 'Open the keys with the recovery code',
    intro:
      'The keychain has lost the keys of the organization. A sealed copy of them lies beside its messages, and the recovery code opens it.',
    submit: 'Open',
    anew: 'I do not have the code',
  },
} as const;
