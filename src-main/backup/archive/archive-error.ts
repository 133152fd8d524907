import { ExplainedError, type Explanation } from '#shared/i18n/explained-error.ts';

/** Why an archive cannot be opened; `kind` says it to programs. */
export class ArchiveError extends ExplainedError {
  override readonly name = 'ArchiveError';
  readonly kind: 'not-an-archive' | 'wrong-code' | 'damaged';

  constructor(kind: ArchiveError['kind'], explanation: Explanation, cause?: unknown) {
    super(explanation, { cause });
    this.kind = kind;
  }
}
