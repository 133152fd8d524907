import { size } from '../size.ts';

const named = (computer: string): string => (computer === '' ? 'The other computer' : computer);
const hostOf = (address: string): string => address.replace(/^https:\/\//, '');

/** What is said of an organization that changes its computer. */
export const migrationWords = {
  out: {
    title: 'Another computer',
    hint: 'The organization can move there, with all messages, files and keys. Everybody stays signed in.',
    open: 'Move to another computer…',
    show: 'Show the move…',
    underWay: 'A move is under way.',
    dialog: 'Move to another computer',
    intro:
      'Have Hearth open on the other computer, in the same network. Nobody can write while everything is copied, which takes a few minutes at most; what people write meanwhile is sent afterwards. Then this computer is one like any other.',
    make: 'Show a code',
    making: 'Making a code…',
    unreachable:
      'No other computer can reach this one now: switch on “Let others in this network join” first.',
    code: 'Code for the other computer',
    paste:
      'On the other computer choose “Move an organization to this computer” and paste this code. It is good once. Nothing happens before you agree here.',
    lost: 'The code was shown before Hearth was started again, and is kept nowhere. Make another one.',
    left: (minutes: number, seconds: number): string =>
      `Good for ${String(minutes)}:${String(seconds).padStart(2, '0')} minutes`,
    copy: 'Copy',
    expired: 'The code is no longer good. Nothing was moved.',
    another: 'Make another code',
    asks: (computer: string, address: string): string =>
      `${named(computer)} (${address}) asks for the organization.`,
    compare: 'Does the other computer show this number?',
    agree: 'Yes, hand it over…',
    refuse: 'No',
    agreed: 'Waiting for the other computer…',
    moving: (computer: string): string =>
      `${named(computer)} is taking everything over. Nobody can write until it is done.`,
    waits: 'Leave both computers on.',
    callOff: 'Cancel the move',
    callOffHint:
      'If you cancel the move, the organization opens here again; that is possible until the other computer has everything.',
    moved: (organization: string): string => `${organization} has moved`,
  },

  moved: {
    title: (organization: string, computer: string, address: string): string =>
      `${organization} now lives on ${named(computer)} (${hostOf(address)})`,
    text: 'This computer is connected to it like any other one. Leave Hearth running here for some days: it tells everybody who still looks here. You can host another organization on this computer, or move this one back.',
    waitingTitle: (organization: string, computer: string): string =>
      `${organization} has moved to ${computer === '' ? 'the other computer' : computer}`,
    waiting:
      'It has not said yet how others reach it: open Hearth there and switch on “Let others in this network join”. This computer then connects by itself.',
    dismiss: 'Understood',
  },

  into: {
    choice: 'Move an organization to this computer',
    choiceHint: 'From the computer where it lives now, while both are on.',
    title: 'Move an organization to this computer',
    intro:
      'On the computer that has the organization, open Settings, Office, “Move to another computer”, and paste its code here. Both computers have to be in the same network.',
    code: 'Code',
    codeHint: 'It begins with hearth://move',
    opens: 'Let others in this network reach it here',
    opensHint: 'Otherwise nobody but this computer can, and everybody waits.',
    submit: 'Go on',
    unfinished:
      'A move to this computer was interrupted, and the other computer may have let go already. Turn that one on, and go on before you do anything else.',
    goOn: 'Go on with it',
    other: 'Use another code',
    claiming: 'Asking the other computer…',
    number: 'Number of this computer',
    compare:
      'The other computer shows this number too, and asks whether it is right. Answer there.',
    size: (bytes: number): string => `About ${size(bytes)}`,
    words: 'Safety words',
    taking: 'Copying…',
    taken: (taken: number, all: number): string => `${size(taken)} of about ${size(all)}`,
    asking: 'Waiting until the other computer has let go. Leave both on.',
    finishing: 'Almost done…',
  },
} as const;
