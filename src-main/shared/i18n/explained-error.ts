/** Failures by a name with values, and in the words of the language that is loaded. */
import type { FailureCause } from '../api/errors.ts';

type Message = string | ((values: never) => string);

type Details<OneMessage> = OneMessage extends (values: infer Values) => string
  ? [values: Values]
  : [values?: Readonly<Record<string, never>>];

export interface Explanation {
  /** One sentence for people: what happened and what to do next. */
  readonly message: string;
  /** Absent where somebody else has said it, in words alone. */
  readonly cause?: FailureCause;
}

export const withCause = (message: string, cause: FailureCause | undefined): Explanation =>
  cause === undefined ? { message } : { message, cause };

/** Explains by the messages of a catalogue, whose names are those of the causes. */
export function wordsFrom<Catalogue extends { readonly [Name in keyof Catalogue]: Message }>(
  catalogue: Catalogue,
): <Name extends keyof Catalogue & string>(
  name: Name,
  ...details: Details<Catalogue[Name]>
) => Explanation {
  return (name, ...[values]) => {
    const own: Message = catalogue[name];
    const given = (values ?? {}) as FailureCause['values'];
    const message = typeof own === 'string' ? own : own(given as never);
    return { message, cause: { name, values: given } };
  };
}

/** What a person can do something about. Anything else that is thrown is a bug. */
export class ExplainedError extends Error {
  override readonly name: string = 'ExplainedError';
  /** `cause` is what the language calls the error below this one. */
  readonly failureCause: FailureCause | undefined;

  /** @param told  words alone where somebody else has chosen them */
  constructor(told: string | Explanation, options?: ErrorOptions) {
    super(typeof told === 'string' ? told : told.message, options);
    this.failureCause = typeof told === 'string' ? undefined : told.cause;
  }
}

/** Whatever was thrown, as another process is told it. */
export function toldOf(error: unknown): Explanation {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = 'failureCause' in error ? error.failureCause : undefined;
  return withCause(error.message, cause as FailureCause | undefined);
}
