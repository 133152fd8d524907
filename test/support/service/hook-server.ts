/** A server of somebody else's, which answers what a test tells it to when the test tells it to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface HookRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** @param body  an object goes as JSON */
  readonly answer: (
    body?: object | string,
    status?: number,
    headers?: Record<string, string>,
  ) => void;
  /** Settles when the connection ends without an answer. */
  readonly gone: Promise<void>;
}

export class HookServer {
  readonly #server: Server;
  readonly #arrived: HookRequest[] = [];
  readonly #wanted: ((request: HookRequest) => void)[] = [];

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  start(host = '127.0.0.1'): Promise<void> {
    return new Promise((resolve) => void this.#server.listen(0, host, resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** An address of it. */
  url(path = '/hook'): string {
    return `http://127.0.0.1:${String(this.port)}${path}`;
  }

  /** The next request that nobody has taken yet. */
  next(): Promise<HookRequest> {
    const request = this.#arrived.shift();
    if (request !== undefined) return Promise.resolve(request);
    return new Promise((resolve) => this.#wanted.push(resolve));
  }

  /** Requests that nobody has taken. */
  get waiting(): number {
    return this.#arrived.length;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => '');
    const received: HookRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      answer(answered = {}, status = 200, headers = {}) {
        response.writeHead(status, headers);
        response.end(typeof answered === 'string' ? answered : JSON.stringify(answered));
      },
      gone: new Promise((resolve) => response.once('close', resolve)),
    };
    const take = this.#wanted.shift();
    if (take === undefined) this.#arrived.push(received);
    else take(received);
  }
}
