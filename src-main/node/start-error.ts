export const startErrorCodes = [
  'PORT_IN_USE',
  'DATA_DIR_UNWRITABLE',
  'DATABASE_NEWER',
  'DATABASE_DAMAGED',
  'DATABASE_IN_USE',
  'HOST_FAILED',
] as const;

export type StartErrorCode = (typeof startErrorCodes)[number];

/** Why a service did not start. The message is one sentence for people that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
