/** Calls of the API that a window makes as they are: only those on the list, with arguments that the table accepts. */
import { api as table } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint, Table } from '#shared/api/endpoint.ts';
import { ServiceError } from '#shared/api/errors.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import {
  fileRequestable,
  requestable,
  type FileRequestName,
  type RequestArguments,
  type RequestName,
  type RequestResult,
} from '#shared/bridge/requestable.ts';
import { decodeParams, EncodedArguments, encodeParams } from '#shared/api/wire.ts';
import type { Api } from './api.ts';
import { answer, codeName } from './answers.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface CheckedRequest {
  readonly endpoint: AnyEndpoint;
  readonly args: EncodedArguments;
}

const tables: Readonly<Record<string, Table>> = table;

/** The endpoints on a list by their names: a name that is not on it finds nothing, whatever it is made of. */
const endpointsOf = (names: readonly string[]): ReadonlyMap<string, AnyEndpoint> =>
  new Map(
    names.map((name) => {
      const [aggregate = '', key = ''] = name.split('.');
      const endpoint = tables[aggregate]?.[key];
      if (endpoint === undefined) throw new Error(`the table has no ${name}`);
      return [name, endpoint];
    }),
  );

const plain = endpointsOf(requestable);
const withFile = endpointsOf(fileRequestable);

function checkArguments(
  name: string,
  endpoint: AnyEndpoint,
  args: Readonly<Record<string, unknown>>,
): Outcome<CheckedRequest> {
  const stranger = Object.keys(args).find((key) => !Object.hasOwn(endpoint.params.fields, key));
  if (stranger !== undefined) {
    const told = clientWords('argument_unknown', { name, argument: stranger });
    return failure('BAD_ARGUMENT', told, stranger);
  }
  const encoded = encodeParams(args);
  try {
    decodeParams(endpoint.params, encoded);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { var_name: wrong } = error.data;
    const argument = typeof wrong === 'string' ? codeName(wrong) : undefined;
    return failure(error.code, toldOf(error), argument);
  }
  for (const [, capture = ''] of endpoint.path.matchAll(/:(\w+)/g)) {
    // As a part of a path these name another path.
    const value = encoded[capture] ?? '';
    if (!/^\.{0,2}$/.test(value)) continue;
    const told = clientWords('argument_names_other_path', { name, value });
    return failure('BAD_ARGUMENT', told, codeName(capture));
  }
  return success({ endpoint, args: new EncodedArguments(encoded) });
}

function check(
  allowed: ReadonlyMap<string, AnyEndpoint>,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Outcome<CheckedRequest> {
  const endpoint = allowed.get(name);
  if (endpoint === undefined) {
    return failure(
      'NOT_ALLOWED',
      clientWords('window_may_not_call', { name: JSON.stringify(name).slice(0, 100) }),
    );
  }
  return checkArguments(name, endpoint, args);
}

export const checkFileRequest = <N extends FileRequestName>(
  name: N,
  args: RequestArguments<N>,
): Outcome<CheckedRequest> => check(withFile, name, args);

export interface Requests {
  readonly request: <N extends RequestName>(
    name: N,
    args: RequestArguments<N>,
  ) => Promise<Outcome<RequestResult<N>>>;
}

export const createRequests = (api: Pick<Api, 'call'>): Requests => ({
  request: async (name, args) => {
    const checked = check(plain, name, args);
    if (!checked.ok) return checked;
    const outcome = await api.call(checked.value.endpoint, checked.value.args);
    return answer(outcome, (result) => result as RequestResult<typeof name>);
  },
});
