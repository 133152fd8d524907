/** The typed client of the API: every call is derived from the endpoint table. */
import { z } from 'zod';
import type { AnswerOf, AnyEndpoint, ArgumentsOf } from '#shared/api/endpoint.ts';
import type { Failure, Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { EncodedArguments, encodeParams } from '#shared/api/wire.ts';
import { eventStreamPath } from '#shared/api/endpoints/events.ts';
import { uploads } from '#shared/api/endpoints/files/uploads.ts';
import {
  type ApiFailure,
  type ApiOutcome,
  badAnswer,
  parse,
  refusalIn,
  refusalOf,
} from './answers.ts';
import { base64 } from './base64.ts';
import { createLines } from './lines.ts';
import type { FormFile } from './multipart.ts';
import { multipartBody } from './multipart.ts';
import type { Clock, Http, HttpRequest, HttpResponse } from '../ports.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** Longer than a service under load takes, shorter than a person waits. */
const CALL_LIMIT_MS = 30_000;

export interface Credentials {
  readonly email: string;
  readonly key: string;
}

export interface ApiOptions {
  readonly http: Http;
  readonly clock: Clock;
  /** The origin of the service; read for each call, because an office may be found elsewhere meanwhile. */
  readonly address: string;
  /** Absent for the endpoints that anybody may call. */
  readonly credentials?: Credentials;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The call fails as UNREACHABLE when no answer came by then. */
  readonly limitMs?: number;
  /** As HttpRequest has it. */
  readonly isProbe?: boolean;
}

export interface UploadOptions extends CallOptions {
  /** Told how much of the body was sent: 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** A queue and the id of the last event taken from it. */
export interface QueuePosition {
  readonly queueId: string;
  readonly lastEventId: number;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Told of events as they come; at least one. Nothing more is read until what it returns settles. */
  readonly take: (events: readonly unknown[]) => Promise<void> | undefined;
  /** How long the next line may take. The stream is over when none came by then. */
  readonly silenceMs: () => number;
}

type PieceEndpoint = typeof uploads.piece;

export type GivenArguments<E extends AnyEndpoint> = ArgumentsOf<E> | EncodedArguments;

export interface Api {
  /**
   * The decoded result. Failures carry the service's code and sentence, UNREACHABLE when no answer came,
   * BAD_ANSWER when the answer is not what the table promises.
   */
  readonly call: <E extends AnyEndpoint>(
    endpoint: E,
    args: GivenArguments<E>,
    options?: CallOptions,
  ) => Promise<ApiOutcome<AnswerOf<E>>>;
  /** The events of a queue as they come. Settles when the stream is over; failures are those of `call`. */
  readonly stream: (position: QueuePosition, options: StreamOptions) => Promise<ApiOutcome<null>>;
  /** A piece of an upload, at an offset. */
  readonly sendPiece: (
    args: ArgumentsOf<PieceEndpoint>,
    bytes: Uint8Array<ArrayBuffer>,
    options?: UploadOptions,
  ) => Promise<ApiOutcome<AnswerOf<PieceEndpoint>>>;
  /** The same for an endpoint that takes a file. */
  readonly upload: <E extends AnyEndpoint>(
    endpoint: E,
    args: GivenArguments<E>,
    file: FormFile,
    options?: UploadOptions,
  ) => Promise<ApiOutcome<AnswerOf<E>>>;
}

export function createApi(options: ApiOptions): Api {
  const run = async <E extends AnyEndpoint>(
    endpoint: E,
    request: Request,
    { signal, limitMs = CALL_LIMIT_MS, isProbe }: CallOptions,
  ): Promise<ApiOutcome<AnswerOf<E>>> => {
    const { address } = options;
    const asked = isProbe === true ? { ...request, isProbe } : request;
    const response = await exchange(options, asked, {
      limitMs,
      ...(signal === undefined ? {} : { signal }),
    });
    if (response === undefined) return silentServer(address);
    if (response === 'other') return wrongServer(address);
    return decode(endpoint, response, address);
  };
  const runTold = <E extends AnyEndpoint>(
    endpoint: E,
    request: Request,
    { onProgress, ...callOptions }: UploadOptions = {},
  ): Promise<ApiOutcome<AnswerOf<E>>> =>
    run(endpoint, { ...request, ...(onProgress === undefined ? {} : { onProgress }) }, callOptions);
  return {
    call: (endpoint, args, callOptions = {}) =>
      run(endpoint, requestFor(options, endpoint, args), callOptions),
    stream: (position, streamOptions) => openStream(options, position, streamOptions),
    sendPiece: (args, bytes, uploadOptions) =>
      runTold(uploads.piece, pieceFor(options, args, bytes), uploadOptions),
    upload: (endpoint, args, file, uploadOptions) =>
      runTold(endpoint, uploadFor(options, endpoint, args, file), uploadOptions),
  };
}

/** The same for a service that may be elsewhere with the next call. */
export const createApiAt = (
  place: { readonly address: string },
  options: Omit<ApiOptions, 'address'>,
): Api =>
  createApi({
    ...options,
    get address() {
      return place.address;
    },
  });

type Request = Omit<HttpRequest, 'signal'>;

function requestFor<E extends AnyEndpoint>(
  { address, credentials }: ApiOptions,
  endpoint: E,
  args: GivenArguments<E>,
): Request {
  const { method } = endpoint;
  const { path, fields } = fillPath(endpoint.path, fieldsOf(args));
  const form = new URLSearchParams(fields).toString();
  const isQuery = method === 'GET' || method === 'DELETE';
  return {
    method,
    url: `${address}/api/v1${path}${isQuery && form !== '' ? `?${form}` : ''}`,
    headers: {
      ...(isQuery ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...authorization(credentials),
    },
    body: isQuery ? null : form,
  };
}

async function openStream(
  options: ApiOptions,
  position: QueuePosition,
  { signal, take, silenceMs }: StreamOptions,
): Promise<ApiOutcome<null>> {
  const { http, clock, address } = options;
  const over = new AbortController();
  let heard = new AbortController();
  const seen: { isStrange: boolean; refusal?: ApiFailure | undefined } = { isStrange: false };
  const watch = async (): Promise<void> => {
    const { signal: nextLine } = heard;
    await clock.wait(silenceMs(), nextLine);
    if (!nextLine.aborted) over.abort();
  };
  const onText = createLines((lines) => {
    heard.abort();
    const events = lines.map(parse);
    seen.isStrange = events.includes(undefined);
    if (seen.isStrange) {
      over.abort();
      return undefined;
    }
    // The last line of a stream that is cut short says why (API decisions 8.4).
    seen.refusal = refusalOf(events.at(-1));
    if (seen.refusal !== undefined) events.pop();
    const taken = events.length === 0 ? undefined : take(events);
    heard = new AbortController();
    // Whoever takes the first line waits longer for the next.
    void watch();
    return taken;
  });
  const path = `${eventStreamPath}?${new URLSearchParams(encodeParams({ ...position })).toString()}`;
  void watch();
  try {
    const response = await http({
      method: 'GET',
      url: `${address}/api/v1${path}`,
      headers: authorization(options.credentials),
      body: null,
      onText,
      signal: AbortSignal.any([signal, over.signal]),
    });
    if (seen.refusal !== undefined) return { ok: false, failure: seen.refusal };
    if (response.status === 200 && !seen.isStrange) return success(null);
    const refused = refusalIn(parse(response.text), response);
    return { ok: false, failure: refused ?? badAnswer(response, address) };
  } catch (error) {
    if (seen.isStrange) return { ok: false, failure: badAnswer({ status: 200 }, address) };
    return isOtherOffice(error) ? wrongServer(address) : silentServer(address);
  } finally {
    heard.abort();
  }
}

function uploadFor<E extends AnyEndpoint>(
  { address, credentials }: ApiOptions,
  endpoint: E,
  args: GivenArguments<E>,
  file: FormFile,
): Request {
  const { path, fields } = fillPath(endpoint.path, fieldsOf(args));
  const { contentType, bytes } = multipartBody(fields, file);
  return {
    method: endpoint.method,
    url: `${address}/api/v1${path}`,
    headers: { 'Content-Type': contentType, ...authorization(credentials) },
    body: bytes,
  };
}

function pieceFor(
  { address, credentials }: ApiOptions,
  args: ArgumentsOf<PieceEndpoint>,
  bytes: Uint8Array<ArrayBuffer>,
): Request {
  const { path, fields } = fillPath(uploads.piece.path, encodeParams(args));
  return {
    method: uploads.piece.method,
    url: `${address}/api/v1${path}?${new URLSearchParams(fields).toString()}`,
    headers: { 'Content-Type': 'application/octet-stream', ...authorization(credentials) },
    body: bytes,
  };
}

/** The header by which the service knows the account; none for a caller without one. */
export const authorization = (credentials: Credentials | undefined): Record<string, string> =>
  credentials === undefined
    ? {}
    : { Authorization: `Basic ${base64(`${credentials.email}:${credentials.key}`)}` };

const fieldsOf = (args: GivenArguments<AnyEndpoint>): Readonly<Record<string, string>> =>
  args instanceof EncodedArguments ? args.fields : encodeParams(args);

/** Moves the arguments that the path captures out of the fields and into the path. */
function fillPath(
  template: string,
  encoded: Readonly<Record<string, string>>,
): { readonly path: string; readonly fields: Record<string, string> } {
  const fields = { ...encoded };
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = fields[name];
    if (value === undefined) throw new Error(`${template} needs ${name}`);
    // These would name another path: whoever makes an address leaves them out.
    if (/^\.{0,2}$/.test(value)) throw new Error(`${template} cannot take '${value}'`);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a copy of the caller's own
    delete fields[name];
    return encodeURIComponent(value);
  });
  return { path, fields };
}

const isOtherOffice = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'OTHER_OFFICE';

export const silentServer = (address: string): Outcome<never> =>
  failure('UNREACHABLE', clientWords('service_not_answering_at', { address }));

export const wrongServer = (address: string): Outcome<never> =>
  failure('UNREACHABLE', clientWords('wrong_server', { address }));

/** Whether somebody else answered than the organization that was asked. */
export const isWrongServer = ({ cause }: Failure): boolean => cause?.name === 'wrong_server';

/** The answer, or undefined where none came within the limit. */
async function exchange(
  { http, clock }: ApiOptions,
  request: Request,
  { signal, limitMs }: { readonly signal?: AbortSignal; readonly limitMs: number },
): Promise<HttpResponse | 'other' | undefined> {
  const late = new AbortController();
  const settled = new AbortController();
  void clock.wait(limitMs, settled.signal).then(() => {
    late.abort();
  });
  const signals = signal === undefined ? [late.signal] : [late.signal, signal];
  try {
    return await http({ ...request, signal: AbortSignal.any(signals) });
  } catch (error) {
    // The port rejects for one reason only: there is no answer, or none of the office that was asked.
    return isOtherOffice(error) ? 'other' : undefined;
  } finally {
    settled.abort();
  }
}

function decode<E extends AnyEndpoint>(
  endpoint: E,
  response: HttpResponse,
  address: string,
): ApiOutcome<AnswerOf<E>> {
  const body = parse(response.text);
  const refused = refusalIn(body, response);
  if (refused !== undefined) return { ok: false, failure: refused };
  const isSuccess = z.object({ result: z.literal('success') }).safeParse(body).success;
  const result = endpoint.result.safeParse(body);
  if (isSuccess && result.success) return success(result.data as AnswerOf<E>);
  return { ok: false, failure: badAnswer(response, address) };
}
