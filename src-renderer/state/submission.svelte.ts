import type { Failure, Outcome } from '#shared/bridge/outcome.ts';
import { explained } from '#shared/i18n/explain.ts';
import { words } from '../i18n/common.ts';

export type FieldErrors<F extends string> = Readonly<Partial<Record<F, string>>>;

/** Names under which the service knows what a form calls otherwise. */
const aliases: Readonly<Record<string, string>> = { username: 'email', url: 'address' };

/** A refusal of it names no argument: it is the same in every form. */
const ownPassword: readonly string[] = ['password', 'oldPassword'];

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The way to the service is what is wrong, not what was typed into the other fields. */
const unreached: ReadonlySet<string> = new Set([
  'UNREACHABLE',
  'OTHER_OFFICE',
  'NOT_TRUSTED',
  'NOT_HEARTH',
  'BAD_ANSWER',
]);

/** One form on its way: busy or not, what is wrong with which field, what is wrong as a whole. */
export class Submission<F extends string> {
  readonly #fields: readonly F[];
  #errors = $state.raw({} as FieldErrors<F>);
  #general = $state('');
  #words = $state.raw<readonly string[] | null>(null);
  #isBusy = $state(false);
  #isUnreached = $state(false);

  constructor(fields: readonly F[]) {
    this.#fields = fields;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** A failure that belongs to no field. */
  get general(): string {
    return this.#general;
  }

  /** The last attempt did not get through to the service. */
  get isUnreached(): boolean {
    return this.#isUnreached;
  }

  /** Rows of safety words from which the person has to choose before it can go on. */
  get words(): readonly string[] | null {
    return this.#words;
  }

  /** Takes the rows away, and says why it does not go on. */
  refuseWords(reason: string): void {
    this.#words = null;
    this.#general = reason;
  }

  errorOf(field: F): string {
    return this.#errors[field] ?? '';
  }

  /**
   * Runs the action unless a problem is known beforehand or an earlier run is under way.
   * @returns what the action answered, or null after a failure, which is then shown
   */
  async run<T>(
    problems: FieldErrors<F>,
    action: () => Promise<Outcome<T>>,
  ): Promise<{ readonly value: T } | null> {
    if (this.#isBusy) return null;
    this.#errors = problems;
    this.#general = '';
    this.#words = null;
    this.#isUnreached = false;
    if (Object.values(problems).some((problem) => problem !== undefined)) return null;
    this.#isBusy = true;
    try {
      const outcome = await action();
      if (outcome.ok) return { value: outcome.value };
      this.#show(outcome.failure);
    } catch {
      // A rejection is a bug on the other side, which logs it; the person needs to know that nothing happened.
      this.#general = words.bug;
    } finally {
      this.#isBusy = false;
    }
    return null;
  }

  #show(failure: Failure): void {
    this.#isUnreached = unreached.has(failure.code);
    if (failure.words !== undefined) {
      this.#words = failure.words;
      return;
    }
    const name = camelCase(failure.argument ?? '');
    const isAtFault =
      failure.code === 'WRONG_PASSWORD'
        ? (known: F) => ownPassword.includes(known)
        : (known: F) => known === (aliases[name] ?? name);
    const field = this.#fields.find(isAtFault);
    if (field === undefined) this.#general = failure.message;
    else this.#errors = { [field]: failure.message } as FieldErrors<F>;
  }
}

/** The problem of a field that has to be filled in; undefined when it is. */
export const missing = (value: string, label: string): string | undefined =>
  value.trim() === '' ? words.required(label) : undefined;

export function emailProblem(value: string, label: string): string | undefined {
  const email = value.trim();
  const isEmail = /^[^\s@]+@[^\s@]+$/.test(email);
  return missing(value, label) ?? (isEmail ? undefined : explained('email_invalid', { email }));
}

/** Without the fields that have no problem. */
export const problemsOf = <F extends string>(
  problems: Readonly<Record<F, string | undefined>>,
): FieldErrors<F> =>
  Object.fromEntries(
    Object.entries(problems).filter(([, problem]) => problem !== undefined),
  ) as FieldErrors<F>;
