/** What a command has to say: to people in lines, to programs as an object. */
export interface CommandOutput {
  readonly lines: readonly string[];
  /** For standard error, beside what was done. */
  readonly warnings: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly exitCode: number;
}

/** Ends a command that has done what it was asked, but for what the data folder itself has lost. */
export const INCOMPLETE = 3;
