/** What the window says instead of the service, by the code of the failure and by what was asked for. */
import type { Failure } from '#shared/bridge/outcome.ts';

/** Whatever was asked for. Codes that say nothing of what happened are not here: their sentence does. */
const byCode: Readonly<Record<string, string>> = {
  INTERNAL_ERROR: 'The service could not do this. Try again in a moment.',
  RATE_LIMIT_HIT: 'That was too much at once. Wait a moment and try again.',
  PAYLOAD_TOO_LARGE: 'This is too large for the service.',
  USER_DEACTIVATED: 'This account is deactivated. Ask an administrator.',
  REALM_DEACTIVATED: 'This organization is deactivated.',
  ORGANIZATION_CLOSED:
    'This organization was restored from a backup. It is closed until an administrator opens it.',
  INVALID_API_KEY: 'The service no longer accepts your sign-in. Sign out and in again.',
  UNAUTHORIZED: 'The service no longer accepts your sign-in. Sign out and in again.',
  STREAM_DOES_NOT_EXIST: 'This stream is no longer there, or you may not see it.',
  UNAUTHORIZED_PRINCIPAL: 'Somebody among them is no longer here.',
  WRONG_PASSWORD: 'This is not your password.',
  BAD_IMAGE: 'This file is not an image that can be shown.',
  REALM_UPLOAD_QUOTA: 'There is no room left for files. Ask an administrator.',
  CANNOT_DEACTIVATE_LAST_USER:
    'This is the only administrator. Make somebody else an administrator first.',
};

/** Said of a stream that is created, renamed or brought back. */
export const streamNameTaken = 'There is a stream with this name already.';

interface Sentence {
  /** Names of requests; empty where it does not matter what was asked for. */
  readonly places: readonly string[];
  /** How the service says it. */
  readonly theirs: RegExp;
  readonly ours: string;
}

/** What the service says with one code for many reasons. */
const bySentence: readonly Sentence[] = [
  {
    places: [],
    theirs: /^Bad value for '(new_)?password': expected a password that is not among/,
    ours: 'This is one of the first passwords that anybody tries. Choose another one.',
  },
  {
    places: [],
    theirs: /^Invalid message\(s\)$/,
    ours: 'This message is no longer there, or you may not see it.',
  },
  {
    places: ['lifecycle.edit'],
    theirs: /^The time limit for editing this message('s topic)? has passed$/,
    ours: 'It is too late to change this message.',
  },
  {
    places: ['lifecycle.edit'],
    theirs: /^Your organization has turned off message editing$/,
    ours: 'Messages cannot be changed in this organization.',
  },
  {
    places: ['lifecycle.edit'],
    theirs: /^You are not allowed to edit the topic of this message$/,
    ours: 'You may not change the topic of this message.',
  },
  {
    places: ['lifecycle.delete'],
    theirs: /^The time limit for deleting this message has passed$/,
    ours: 'It is too late to delete this message.',
  },
  {
    places: ['lifecycle.delete'],
    theirs: /^You don't have permission to delete this message$/,
    ours: 'You may not delete this message.',
  },
  {
    places: ['streamAdmin.update', 'createStream', 'streams.subscribe'],
    theirs: /^(Stream already has that name$|Stream name '.*' is already taken)/,
    ours: streamNameTaken,
  },
  {
    places: ['streamAdmin.update'],
    theirs: /^This stream is not archived$/,
    ours: 'Somebody has brought this stream back already.',
  },
  {
    places: [],
    theirs: /^(Must be an organization administrator|Insufficient permission)$/,
    ours: 'Only administrators may do this.',
  },
  {
    places: [],
    theirs: /^(No such user|Invalid user ID)/,
    ours: 'This person is no longer here.',
  },
  {
    places: ['userAdmin.deactivate'],
    theirs: /^User is already deactivated$/,
    ours: 'This person is deactivated already.',
  },
];

/** The window's own sentence where it has one; else what the service said. */
export function errorTextFor({ code, message }: Failure, place: string): string {
  const own = bySentence.find(
    ({ places, theirs }) => (places.length === 0 || places.includes(place)) && theirs.test(message),
  );
  return own?.ours ?? byCode[code] ?? message;
}
