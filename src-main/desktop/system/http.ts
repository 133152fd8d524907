import {
  Agent as PlainAgent,
  type ClientRequest,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type {
  Http,
  HttpFetchFile,
  HttpFile,
  HttpFileRequest,
  HttpRequest,
  HttpResponse,
} from '#client/ports.ts';
import { freeBytes } from '#node/files/free-bytes.ts';
import { createPinnedAgent, WrongServerError } from '#node/tls/pinned-tls.ts';

/** As much as is handed over at once, and so told of, when a body is sent with progress. */
const CHUNK_BYTES = 64 * 1024;
/** Limits an unpacked answer: several times what the largest page of messages takes. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

interface Agents {
  readonly plain: PlainAgent;
  readonly secure: SecureAgent;
  /** One for each office, by its fingerprint. */
  readonly offices: Map<string, SecureAgent>;
}

const createAgents = (): Agents => ({
  plain: new PlainAgent({ keepAlive: true }),
  secure: new SecureAgent({ keepAlive: true }),
  offices: new Map(),
});

let agents = createAgents();

/** Connections of before may be dead without anybody knowing: after sleep, in another network. */
function leaveConnections(): void {
  const { plain, secure, offices } = agents;
  agents = createAgents();
  for (const { freeSockets } of [plain, secure, ...offices.values()]) {
    for (const socket of Object.values(freeSockets).flatMap((idle) => idle ?? [])) socket.destroy();
  }
}

function agentFor(pin: string | undefined): SecureAgent {
  if (pin === undefined) return agents.secure;
  const agent = agents.offices.get(pin) ?? createPinnedAgent(pin);
  agents.offices.set(pin, agent);
  return agent;
}

/** @throws WrongServerError where a known office would be spoken to without TLS: nobody could tell who answers */
function open(
  {
    method,
    url,
    signal,
    fingerprint,
  }: Pick<HttpRequest, 'method' | 'url' | 'signal' | 'fingerprint'>,
  headers: Readonly<Record<string, string>>,
): ClientRequest {
  const isSecure = new URL(url).protocol === 'https:';
  if (!isSecure && fingerprint !== undefined) throw new WrongServerError();
  const options = { method, signal, headers };
  return isSecure
    ? secureRequest(url, { ...options, agent: agentFor(fingerprint) })
    : plainRequest(url, { ...options, agent: agents.plain });
}

/** The agent of an office hands a connection out late: whoever stops waiting does not wait for that. */
function untilAborted<T>(
  signal: AbortSignal,
  run: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  const running = new Promise<T>(run);
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new Error('aborted'));
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const settled = (): void => signal.removeEventListener('abort', leave);
    running.then(resolve, reject).finally(settled);
  });
}

/**
 * HTTP for the sessions, by Node's own client: fetch keeps dead connections and tells nothing of a body on its way. A redirect
 * is answered as it came: following one would turn a POST into a GET and carry the key elsewhere.
 */
export const desktopHttp: Http = (asked) => {
  if (asked.isProbe === true) leaveConnections();
  const headers = {
    'User-Agent': 'Hearth',
    // What comes piece by piece must not be held back to be packed.
    ...(asked.onText === undefined ? { 'Accept-Encoding': 'gzip' } : {}),
    ...asked.headers,
    ...(asked.body === null ? {} : { 'Content-Length': String(Buffer.byteLength(asked.body)) }),
  };
  return untilAborted(asked.signal, (resolve, reject) => {
    const sending = open(asked, headers);
    sending.on('error', reject);
    sending.on('response', (response) => {
      const { onText } = asked;
      const isStreamed = onText !== undefined && response.statusCode === 200;
      (isStreamed ? readAlong(response, onText) : read(response)).then(resolve, reject);
    });
    sendBody(sending, asked);
  });
};

/** An answer that is too long is one that says nothing: whoever sends it is no service of ours. */
async function read(response: IncomingMessage): Promise<HttpResponse> {
  const isPacked = response.headers['content-encoding'] === 'gzip';
  const bytes = await bytesOf(isPacked ? unpacked(response) : response, MAX_ANSWER_BYTES);
  response.destroy();
  const text = bytes === null ? '' : new TextDecoder().decode(bytes);
  return { status: response.statusCode ?? 0, text };
}

/** Decodes the body as it comes. @throws where the connection breaks */
async function readAlong(
  response: IncomingMessage,
  onText: NonNullable<HttpRequest['onText']>,
): Promise<HttpResponse> {
  const decoder = new TextDecoder();
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    await onText(decoder.decode(chunk, { stream: true }));
  }
  return { status: response.statusCode ?? 0, text: '' };
}

function unpacked(response: IncomingMessage): Readable {
  const unpacking = createGunzip();
  response.on('error', (error) => unpacking.destroy(error));
  return response.pipe(unpacking);
}

/** Null where there are more than that; then the transfer has ended. */
async function bytesOf(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.byteLength;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.byteLength;
  }
  return bytes;
}

function sendBody(
  sending: ReturnType<typeof plainRequest>,
  { body, onProgress }: Pick<HttpRequest, 'body' | 'onProgress'>,
): void {
  if (onProgress === undefined || !(body instanceof Uint8Array)) {
    sending.end(body ?? undefined);
    return;
  }
  const sendFrom = (start: number): void => {
    if (start >= body.byteLength) {
      sending.end();
      return;
    }
    const end = Math.min(start + CHUNK_BYTES, body.byteLength);
    // Called when the operating system has taken the chunk; not at all once the request has failed.
    sending.write(body.subarray(start, end), (error) => {
      if (error) return;
      onProgress(end / body.byteLength);
      sendFrom(end);
    });
  };
  sendFrom(0);
}

/** As `desktopHttp`, of which it uses the connections. */
export const desktopFetchFile: HttpFetchFile = ({ headers, maxBytes, onBytes, ...asked }) =>
  untilAborted(asked.signal, (resolve, reject) => {
    // A range is one of what is not packed.
    const packing = onBytes === undefined ? { 'Accept-Encoding': 'gzip' } : {};
    const sending = open(asked, { 'User-Agent': 'Hearth', ...packing, ...headers });
    sending.on('error', reject);
    sending.on('response', (response) => {
      const isStreamed = onBytes !== undefined && [200, 206].includes(response.statusCode ?? 0);
      const reading = isStreamed
        ? readFileAlong(response, onBytes)
        : readFile(response, Math.min(maxBytes, MAX_ANSWER_BYTES));
      reading.then(resolve, reject);
    });
    sending.end();
  });

async function readFileAlong(
  response: IncomingMessage,
  onBytes: NonNullable<HttpFileRequest['onBytes']>,
): Promise<HttpFile> {
  const { statusCode: status = 0, headers } = response;
  const about = { isPart: status === 206, totalBytes: totalBytesOf(status, headers) };
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    await onBytes(chunk, about);
    freeBytes(chunk);
  }
  return { status, type: headers['content-type'] ?? '', bytes: new Uint8Array() };
}

/** Of all of the file, of which a part may have been asked for. */
function totalBytesOf(status: number, headers: IncomingMessage['headers']): number | null {
  const total =
    status === 206 ? headers['content-range']?.split('/')[1] : headers['content-length'];
  return total !== undefined && /^\d+$/.test(total) ? Number(total) : null;
}

async function readFile(response: IncomingMessage, maxBytes: number): Promise<HttpFile> {
  const isPacked = response.headers['content-encoding'] === 'gzip';
  const bytes = await bytesOf(isPacked ? unpacked(response) : response, maxBytes);
  if (bytes === null) response.destroy();
  const type = response.headers['content-type'] ?? '';
  return { status: response.statusCode ?? 0, type, bytes };
}
