/** What the service answers to a call, and why it refuses one. */
import { z } from 'zod';
import { CauseSchema } from '#shared/api/cause-schema.ts';
import { type Failure, type Outcome, type Refused, success } from '#shared/bridge/outcome.ts';
import { clientWords } from '#shared/i18n/client-words.ts';
import type { HttpResponse } from '../ports.ts';

/** A failure as the service tells it. */
export interface ApiFailure extends Failure {
  /** Why a sign-in failed (API decisions 10.3). */
  readonly reason?: string;
  /** The HTTP status; absent where no answer came. */
  readonly status?: number;
  /** How long a service wants to be left alone. */
  readonly retryAfterMs?: number;
  /** UNIX seconds, by the clock of the service: its computer goes to sleep. */
  readonly asleepSinceSeconds?: number;
}

export type ApiOutcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ApiFailure };

const ErrorBody = z.object({
  result: z.literal('error'),
  msg: z.string(),
  code: z.string().optional(),
  cause: CauseSchema,
  reason: z.string().optional(),
  is_succeeded: z.boolean().optional().catch(undefined),
  var_name: z.string().optional(),
  'retry-after': z.number().min(0).optional(),
  asleep_since: z.number().optional().catch(undefined),
  errors: z
    .array(z.tuple([z.string(), z.string()]).rest(z.unknown()))
    .optional()
    .catch(undefined),
  sent_invitations: z.boolean().optional().catch(undefined),
});

/** Events come by the thousand: what has no result is none. */
export function refusalOf(body: unknown): ApiFailure | undefined {
  if (typeof body !== 'object' || body === null || !('result' in body)) return undefined;
  const error = ErrorBody.safeParse(body);
  return error.success ? failureFrom(error.data) : undefined;
}

export function refusalIn(body: unknown, { status }: HttpResponse): ApiFailure | undefined {
  const refused = refusalOf(body);
  return refused === undefined ? undefined : { ...refused, status };
}

export const badAnswer = (
  { status }: Pick<HttpResponse, 'status'>,
  address: string,
): ApiFailure => ({
  code: 'BAD_ANSWER',
  ...clientWords('answer_not_understood', { address }),
  status,
});

/** Undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureFrom(body: z.output<typeof ErrorBody>): ApiFailure {
  const { code, msg, cause, reason, var_name, errors } = body;
  const { 'retry-after': retryAfter, asleep_since: asleepSince } = body;
  return {
    code: body.is_succeeded === true ? 'ELSEWHERE' : (code ?? 'NONE'),
    message: msg,
    ...(cause === undefined ? {} : { cause }),
    ...(var_name === undefined ? {} : { argument: codeName(var_name) }),
    ...(reason === undefined ? {} : { reason }),
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter * 1000 }),
    ...(asleepSince === undefined ? {} : { asleepSinceSeconds: asleepSince }),
    ...(errors === undefined ? {} : { refused: refusedFrom(body, errors) }),
  };
}

const Reasons = z.array(z.string()).catch([]);

function refusedFrom(
  { cause, sent_invitations: isRestDone = false }: z.output<typeof ErrorBody>,
  errors: readonly (readonly [string, string, ...unknown[]])[],
): Refused {
  const reasons = Reasons.parse(cause?.values['reasons']);
  const items = errors.map(([value, message], at) => ({ value, message, reason: reasons[at] }));
  return { items, isRestDone };
}

/** `full_name` to `fullName`: arguments are named as callers of this application write them. */
export const codeName = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What a window is told of a failure: without what only this layer understands. */
export const refusal = (failed: ApiFailure): Outcome<never> => {
  const { code, message, cause, argument, refused } = failed;
  return {
    ok: false,
    failure: {
      code,
      message,
      ...(cause === undefined ? {} : { cause }),
      ...(argument === undefined ? {} : { argument }),
      ...(refused === undefined ? {} : { refused }),
    },
  };
};

/** What a window is told: the value, translated, or the failure. */
export const answer = <A, B>(outcome: ApiOutcome<A>, translate: (value: A) => B): Outcome<B> =>
  outcome.ok ? success(translate(outcome.value)) : refusal(outcome.failure);
