import type { Outcome } from '#shared/bridge/outcome.ts';
import { explanationOf } from '#shared/i18n/explain.ts';
import type { Bridge } from '#preload/bridge.ts';
import { errorTextFor } from '../i18n/errors.ts';

type Call = (...args: readonly unknown[]) => unknown;

/** Each asks the service for one thing; the client has sentences of its own for codes of the others. */
const requests: ReadonlySet<string> = new Set<keyof Bridge>([
  'request',
  'requestWithFile',
  'hostOrganization',
  'choosePassword',
  'createPerson',
  'createStream',
  'messages',
  'source',
  'upload',
]);

const isOutcome = (answer: unknown): answer is Outcome<unknown> =>
  typeof answer === 'object' && answer !== null && 'ok' in answer && 'failure' in answer;

function withErrorText(name: string, answer: unknown): unknown {
  if (!isOutcome(answer) || answer.ok) return answer;
  const { failure } = answer;
  const explained = failure.cause === undefined ? undefined : explanationOf(failure.cause);
  const message = requests.has(name) ? errorTextFor(failure) : (explained ?? failure.message);
  return { ok: false, failure: { ...failure, message } };
}

/** The bridge of a window in which the service's refusals read as everything else does. */
export function withErrorTexts(bridge: Bridge): Bridge {
  const calls: Record<string, unknown> = { ...bridge };
  for (const [name, member] of Object.entries(calls)) {
    if (typeof member !== 'function') continue;
    calls[name] = (...args: readonly unknown[]): unknown => {
      const answer = (bridge as unknown as Readonly<Record<string, Call>>)[name]?.(...args);
      return answer instanceof Promise
        ? answer.then((outcome: unknown) => withErrorText(name, outcome))
        : answer;
    };
  }
  return calls as unknown as Bridge;
}
