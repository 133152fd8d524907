/** What the error codes mean, for the documentation (API decisions 1.2). */
import { type AnyEndpoint, accessOf } from './endpoint.ts';
import { type ErrorCode, errorStatuses } from './errors.ts';

export interface ErrorDescription {
  readonly meaning: string;
  /** Keys beside `result`, `msg` and `code`; one with `?` may be absent. */
  readonly keys: readonly string[];
}

const described: Readonly<Record<string, ErrorDescription>> = {
  BAD_REQUEST: {
    meaning:
      'The request is refused and no other code says why more exactly: not permitted, not found, too long, too late, already so. `msg` tells.',
    keys: [],
  },
  NONE: {
    meaning:
      'The error has no `code` at all: a private stream refused while authorization_errors_fatal is true, or a topic that is already muted or is not muted.',
    keys: [],
  },
  STREAM_DOES_NOT_EXIST: {
    meaning: 'The stream is missing, archived, or not visible to the caller.',
    keys: ['stream', 'stream_id?'],
  },
  BAD_EVENT_QUEUE_ID: {
    meaning: 'The event queue is unknown, deleted or expired: register a new one.',
    keys: ['queue_id'],
  },
  REQUEST_VARIABLE_MISSING: { meaning: 'A required parameter is absent.', keys: ['var_name'] },
  REQUEST_VARIABLE_INVALID: {
    meaning: 'A parameter cannot be decoded, or has another type or range than expected.',
    keys: ['var_name', 'bad_value'],
  },
  REQUEST_CONFUSING_VAR: {
    meaning: 'Two names of one parameter were sent with different values.',
    keys: ['var_name1', 'var_name2'],
  },
  BAD_NARROW: {
    meaning: 'The narrow names an operator, a stream or a person that there is not.',
    keys: ['desc'],
  },
  UNAUTHORIZED_PRINCIPAL: {
    meaning: 'One of the principals is no active account of the organization.',
    keys: ['principal'],
  },
  WRONG_PASSWORD: { meaning: 'What was given as the own password is not it.', keys: [] },
  LINK_NOT_VALID: {
    meaning: 'The link to a new password was used, has ended, or never was.',
    keys: [],
  },
  INVALID_JSON: { meaning: 'The body is not the JSON that it should be.', keys: [] },
  MISSING_HTTP_EVENT_HEADER: {
    meaning: 'The webhook lacks the header that its integration reads.',
    keys: ['header'],
  },
  UNEXPECTED_WEBHOOK_EVENT_TYPE: {
    meaning: 'The integration does not know events of this type.',
    keys: ['webhook_name', 'event_type'],
  },
  BAD_IMAGE: { meaning: 'The uploaded file is not an image that can be read.', keys: [] },
  REALM_UPLOAD_QUOTA: {
    meaning:
      'The files of the organization or the person would take more room than they have, or the disk is almost full.',
    keys: [],
  },
  CANNOT_DEACTIVATE_LAST_USER: {
    meaning: 'The organization would be left without an administrator.',
    keys: ['is_last_admin', 'entity'],
  },
  INVITATION_FAILED: {
    meaning: 'Some of the people were not invited.',
    keys: ['errors', 'sent_invitations'],
  },
  UNAUTHORIZED: {
    meaning:
      'The Authorization header is missing or malformed, or an incoming webhook bot called what it may not call.',
    keys: [],
  },
  INVALID_API_KEY: {
    meaning: 'There is no account with this key, or it belongs to another address.',
    keys: [],
  },
  USER_DEACTIVATED: { meaning: 'The account is deactivated.', keys: [] },
  REALM_DEACTIVATED: {
    meaning: 'The organization is deactivated; `is_succeeded` where it goes on elsewhere.',
    keys: ['is_succeeded?'],
  },
  AUTHENTICATION_FAILED: { meaning: 'The sign-in failed; `reason` says how.', keys: ['reason'] },
  NOT_FOUND: { meaning: 'There is nothing under this path.', keys: [] },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path does not take this method.',
    keys: ['allowed_methods'],
  },
  PAYLOAD_TOO_LARGE: { meaning: 'The body is longer than allowed.', keys: [] },
  RATE_LIMIT_HIT: {
    meaning: 'Too many calls: wait for `retry-after` seconds.',
    keys: ['retry-after'],
  },
  ORGANIZATION_CLOSED: {
    meaning:
      'The organization was restored from a backup and is closed until an administrator opens it: the request may be repeated.',
    keys: [],
  },
  ORGANIZATION_ASLEEP: {
    meaning:
      'The computer of the service goes to sleep, at `asleep_since` (UNIX seconds): nothing was done, and the request may be repeated.',
    keys: ['asleep_since', 'retry-after'],
  },
  DISK_FULL: {
    meaning:
      'The disk of the service is full: nothing was changed, and the request may be repeated.',
    keys: [],
  },
  INTERNAL_ERROR: { meaning: 'The server failed; the request may be repeated.', keys: [] },
};

/** @throws when a code was added and not described */
export function describeError(code: ErrorCode): ErrorDescription {
  const description = described[code];
  if (description === undefined) throw new Error(`the error code ${code} is not described`);
  return description;
}

export const errorCodes = Object.keys(errorStatuses) as readonly ErrorCode[];

/** Answered whatever endpoint is meant, before or instead of what it does itself. */
export const transportCodes: readonly ErrorCode[] = [
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'ORGANIZATION_ASLEEP',
  'INTERNAL_ERROR',
];

/** Every code that an endpoint can answer with, those of `transportCodes` excepted. */
export function codesOf(endpoint: AnyEndpoint): readonly ErrorCode[] {
  const { auth, errors, method, params } = endpoint;
  const hasParams = Object.keys(params.fields).length > 0;
  const access = accessOf(endpoint);
  const codes: readonly ErrorCode[] = [
    ...errors,
    ...(access === 'anyone' || access === 'account' ? [] : (['BAD_REQUEST'] as const)),
    ...(hasParams ? (['REQUEST_VARIABLE_MISSING', 'REQUEST_VARIABLE_INVALID'] as const) : []),
    ...(Object.keys(params.aliases).length > 0 ? (['REQUEST_CONFUSING_VAR'] as const) : []),
    // What cannot be read at all is refused for every endpoint.
    'BAD_REQUEST',
    ...(method === 'GET' ? [] : (['INVALID_JSON'] as const)),
    ...(auth === 'none'
      ? []
      : ([
          'UNAUTHORIZED',
          'INVALID_API_KEY',
          'USER_DEACTIVATED',
          'REALM_DEACTIVATED',
          'ORGANIZATION_CLOSED',
          'RATE_LIMIT_HIT',
        ] as const)),
  ];
  const wanted = new Set(codes);
  return errorCodes.filter((code) => wanted.has(code));
}
