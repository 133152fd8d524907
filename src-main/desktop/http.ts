import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { Http, HttpFetchFile, HttpRequest, HttpResponse } from '../client/ports.ts';

/** As much as is handed over at once, and so told of, when a body is sent with progress. */
const CHUNK_BYTES = 64 * 1024;

interface Agents {
  readonly plain: PlainAgent;
  readonly secure: SecureAgent;
}

const createAgents = (): Agents => ({
  plain: new PlainAgent({ keepAlive: true }),
  secure: new SecureAgent({ keepAlive: true }),
});

let agents = createAgents();

/** Connections of before may be dead without anybody knowing: after sleep, in another network. */
function leaveConnections(): void {
  const { plain, secure } = agents;
  agents = createAgents();
  for (const idle of [...Object.values(plain.freeSockets), ...Object.values(secure.freeSockets)]) {
    for (const socket of idle ?? []) socket.destroy();
  }
}

/**
 * HTTP for the sessions, by Node's own client: fetch keeps dead connections and tells nothing of a body on its way. A redirect
 * is answered as it came: following one would turn a POST into a GET and carry the key elsewhere.
 */
export const desktopHttp: Http = (asked) => {
  if (asked.isProbe === true) leaveConnections();
  const { method, url, headers, signal } = asked;
  const isSecure = new URL(url).protocol === 'https:';
  const options = {
    method,
    signal,
    headers: {
      'User-Agent': 'Hearth',
      'Accept-Encoding': 'gzip',
      ...headers,
      ...(asked.body === null ? {} : { 'Content-Length': String(Buffer.byteLength(asked.body)) }),
    },
  };
  return new Promise((resolve, reject) => {
    const sending = isSecure
      ? secureRequest(url, { ...options, agent: agents.secure })
      : plainRequest(url, { ...options, agent: agents.plain });
    sending.on('error', reject);
    sending.on('response', (response) => {
      read(response).then(resolve, reject);
    });
    sendBody(sending, asked);
  });
};

async function read(response: IncomingMessage): Promise<HttpResponse> {
  const isPacked = response.headers['content-encoding'] === 'gzip';
  const text = isPacked ? await unpacked(response) : await textOf(response);
  return { status: response.statusCode ?? 0, text };
}

function unpacked(response: IncomingMessage): Promise<string> {
  const unpacking = createGunzip();
  response.on('error', (error) => unpacking.destroy(error));
  return textOf(response.pipe(unpacking));
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

export const desktopFetchFile: HttpFetchFile = async ({
  method,
  url,
  headers,
  maxBytes,
  signal,
}) => {
  const response = await fetch(url, { method, headers, signal, redirect: 'manual' });
  const { status } = response;
  const type = response.headers.get('content-type') ?? '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop ends the transfer.
    if (length > maxBytes) return { status, type, bytes: null };
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.byteLength;
  }
  return { status, type, bytes };
};
