import { ExplainedError, type Explanation } from '#shared/i18n/explained-error.ts';

export const startErrorCodes = [
  'PORT_IN_USE',
  'DATA_DIR_UNWRITABLE',
  'DATABASE_NEWER',
  'DATABASE_DAMAGED',
  'DATABASE_IN_USE',
  'HOST_FAILED',
] as const;

export type StartErrorCode = (typeof startErrorCodes)[number];

/** Why a service did not start. */
export class StartError extends ExplainedError {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, explanation: Explanation, options?: ErrorOptions) {
    super(explanation, options);
    this.code = code;
  }
}
