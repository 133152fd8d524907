/**
 * Every error code of the API with its HTTP status (API decisions 1.2). `NONE` stands for the
 * cases of the specification 7, that carry no code at all.
 */
export const errorStatuses = {
  BAD_REQUEST: 400,
  NONE: 400,
  STREAM_DOES_NOT_EXIST: 400,
  BAD_EVENT_QUEUE_ID: 400,
  REQUEST_VARIABLE_MISSING: 400,
  REQUEST_VARIABLE_INVALID: 400,
  REQUEST_CONFUSING_VAR: 400,
  BAD_NARROW: 400,
  UNAUTHORIZED_PRINCIPAL: 403,
  CANNOT_DEACTIVATE_LAST_USER: 400,
  WRONG_PASSWORD: 400,
  LINK_NOT_VALID: 400,
  BAD_IMAGE: 400,
  REALM_UPLOAD_QUOTA: 400,
  INVITATION_FAILED: 400,
  INVALID_JSON: 400,
  MISSING_HTTP_EVENT_HEADER: 400,
  UNEXPECTED_WEBHOOK_EVENT_TYPE: 400,
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  USER_DEACTIVATED: 401,
  REALM_DEACTIVATED: 401,
  AUTHENTICATION_FAILED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMIT_HIT: 429,
  INTERNAL_ERROR: 500,
  ORGANIZATION_CLOSED: 503,
  ORGANIZATION_ASLEEP: 503,
  DISK_FULL: 507,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatuses;

/** Extra top-level keys of an error body, already in their wire form. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** Why something was refused, where the code covers more than one reason: a row of `causes.ts` and its values. */
export interface FailureCause {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * A refusal that the caller can act on. Anything else that is thrown is a bug and is answered with
 * INTERNAL_ERROR and nothing more.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly data: ErrorData;
  /** `cause` is what the language calls the error below this one. */
  readonly failureCause: FailureCause | undefined;

  constructor(code: ErrorCode, message: string, data: ErrorData = {}, failureCause?: FailureCause) {
    super(message);
    this.code = code;
    this.data = data;
    this.failureCause = failureCause;
  }

  get status(): number {
    return errorStatuses[this.code];
  }

  /** The body that goes on the wire (API decisions 1.1). */
  get body(): Readonly<Record<string, unknown>> {
    const code = this.code === 'NONE' ? {} : { code: this.code };
    // Clients show it on one line, and it may quote what the caller sent.
    const msg = this.message.replace(/[\s\p{Cc}]+/gu, ' ');
    const cause = this.failureCause === undefined ? {} : { cause: this.failureCause };
    return { result: 'error', msg, ...code, ...this.data, ...cause };
  }
}

export const badRequest = (message: string): ServiceError =>
  new ServiceError('BAD_REQUEST', message);

export const invalidApiKey = (): ServiceError =>
  new ServiceError('INVALID_API_KEY', 'Invalid API key');

export const accountDeactivated = (): ServiceError =>
  new ServiceError('USER_DEACTIVATED', 'Account is deactivated');

export const realmDeactivated = (): ServiceError =>
  new ServiceError('REALM_DEACTIVATED', 'This organization has been deactivated');

/** As `realmDeactivated`; where the organization goes on elsewhere, it says so (API decisions 15.11). */
export const closedRealm = ({
  isRealmSucceeded = false,
}: {
  readonly isRealmSucceeded?: boolean;
}): ServiceError =>
  isRealmSucceeded
    ? new ServiceError('REALM_DEACTIVATED', 'This organization goes on on another computer', {
        is_succeeded: true,
      })
    : realmDeactivated();

/**
 * It was restored, and nobody has read yet what may be missing (API decisions 15.11).
 * @param backedUpAt  UNIX seconds: the moment of the backup
 */
export function unopenedRealm(backedUpAt: number): ServiceError {
  const moment = new Date(backedUpAt * 1000).toISOString().slice(0, 16).replace('T', ' ');
  return new ServiceError(
    'ORGANIZATION_CLOSED',
    `This organization was restored from a backup of ${moment} UTC and is closed until an administrator opens it on the computer where it lives`,
  );
}

/** Sooner a computer that was sent to sleep hardly wakes. */
const ASLEEP_RETRY_SECONDS = 15;

/**
 * The computer of the service goes to sleep (API decisions 15.19).
 * @param sinceSeconds  UNIX seconds
 */
export const organizationAsleep = (sinceSeconds: number): ServiceError =>
  new ServiceError('ORGANIZATION_ASLEEP', 'The computer that hosts this organization is asleep', {
    asleep_since: sinceSeconds,
    'retry-after': ASLEEP_RETRY_SECONDS,
  });

/** @param stream  the name as the caller gave it, or a stream id */
export const streamDoesNotExist = (stream: string | number): ServiceError =>
  typeof stream === 'number'
    ? new ServiceError('STREAM_DOES_NOT_EXIST', `Stream with ID '${stream}' does not exist`, {
        stream: String(stream),
        stream_id: stream,
      })
    : new ServiceError('STREAM_DOES_NOT_EXIST', `Stream '${stream}' does not exist`, { stream });

/** The text starts the way old clients compare it (API decisions 0, rule 6). */
export const badEventQueueId = (queueId: string): ServiceError =>
  new ServiceError('BAD_EVENT_QUEUE_ID', `Bad event queue id: ${queueId}`, { queue_id: queueId });

export const variableMissing = (name: string): ServiceError =>
  new ServiceError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name });

/**
 * @param name      the argument as it is written on the wire
 * @param received  its value as received; cut to 200 characters
 * @param expected  what would have been accepted, to follow "expected"
 */
export const variableInvalid = (name: string, received: unknown, expected: string): ServiceError =>
  new ServiceError('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': expected ${expected}`, {
    var_name: name,
    bad_value: (typeof received === 'string' ? received : JSON.stringify(received)).slice(0, 200),
  });

/** Wrong guesses are counted (API decisions 13). */
export const wrongPassword = (): ServiceError =>
  new ServiceError('WRONG_PASSWORD', 'Wrong password!');

/** One that never was, was used, or has ended: counted as a guess as well. */
export const linkNotValid = (): ServiceError =>
  new ServiceError('LINK_NOT_VALID', 'This link is no longer valid');
