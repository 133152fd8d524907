/** What the forms of a window are checked for before a service is asked. */
import type { HostRequest, NewPerson, NewStream } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';

const PASSWORD_MIN_LENGTH = 8;

/** Not the syntax of RFC 5322: it finds slips, and the service has the last word. */
const email = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/;
/** These would break mentions (`@**Name**`) and the sender line of e-mails. */
const forbiddenInNames = /[*`>"@]/;

type Check = readonly [isGood: boolean, argument: string, sentence: string];

function firstFault(checks: readonly Check[]): Outcome<null> {
  const fault = checks.find(([isGood]) => !isGood);
  return fault === undefined ? success(null) : failure('BAD_REQUEST', fault[2], fault[1]);
}

/** Characters as people count them. */
const lengthOf = (text: string): number => Array.from(text.trim()).length;
const isBetween = (text: string, least: number, most: number): boolean =>
  lengthOf(text) >= least && lengthOf(text) <= most;

const isEmail = (text: string): boolean => email.test(text.trim());

const emailCheck = (text: string): Check => [
  isEmail(text),
  'email',
  'Enter an e-mail address, such as name@example.com.',
];

const passwordCheck = (password: string): Check => [
  Array.from(password.normalize('NFC')).length >= PASSWORD_MIN_LENGTH,
  'password',
  `Enter a password of at least ${PASSWORD_MIN_LENGTH} characters.`,
];

const personChecks = ({ fullName, email, password }: NewPerson): readonly Check[] => [
  [isBetween(fullName, 2, 100), 'fullName', 'Enter a name of 2 to 100 characters.'],
  [!forbiddenInNames.test(fullName), 'fullName', 'A name cannot contain * ` > " or @.'],
  emailCheck(email),
  passwordCheck(password),
];

export const checkPassword = (password: string): Outcome<null> =>
  firstFault([passwordCheck(password)]);

export const checkNewPerson = (person: NewPerson): Outcome<null> =>
  firstFault(personChecks(person));

export const checkHostRequest = (request: HostRequest): Outcome<null> =>
  firstFault([
    [
      isBetween(request.realmName, 1, 60),
      'realmName',
      'Enter a name for the organization, of 1 to 60 characters.',
    ],
    ...personChecks(request),
  ]);

export const checkNewStream = ({ name, description }: NewStream): Outcome<null> =>
  firstFault([
    [isBetween(name, 1, 60), 'name', 'Enter a name for the stream, of 1 to 60 characters.'],
    [
      lengthOf(description) <= 1024,
      'description',
      'Enter a description of at most 1024 characters.',
    ],
  ]);

export const checkEmail = (text: string): Outcome<null> => firstFault([emailCheck(text)]);
