/** Why an archive cannot be opened, in one sentence; `kind` says it to programs. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly kind: 'not-an-archive' | 'wrong-code' | 'damaged';

  constructor(kind: ArchiveError['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
