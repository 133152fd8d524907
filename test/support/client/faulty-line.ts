/** The wire between a client and a service, byte by byte, with the faults that a test asks for. */
import { once } from 'node:events';
import { createServer, connect, type Server, type Socket } from 'node:net';

/**
 * `open`: everything passes. `refused`: nobody listens and every connection is reset. `hung`: connections are accepted and
 * nothing passes, until the line is open again: what was written meanwhile then arrives late. `half-open`: what is written
 * is swallowed, also later on the connections of that time. `mute`: the same for answers, while requests arrive. `cut`: requests arrive, and every answer ends in its middle.
 * `slow`: a few bytes at a time.
 */
export type LineState = 'open' | 'refused' | 'hung' | 'half-open' | 'mute' | 'cut' | 'slow';

const SLOW_BYTES = 512;
const SLOW_MS = 2;
/** The head of an answer and the beginning of its body. */
const CUT_BYTES = 420;

class Connection {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #state: () => LineState;
  #isDead = false;
  #answered = 0;

  constructor(near: Socket, far: Socket, state: () => LineState) {
    this.#near = near;
    this.#far = far;
    this.#state = state;
    for (const socket of [near, far]) {
      socket.on('error', () => {
        this.end();
      });
      socket.on('close', () => {
        if (!this.#isDead) this.end();
      });
    }
    near.on('data', (bytes: Buffer) => {
      if (state() === 'mute' || !this.#isDead) far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      void this.#answer(bytes);
    });
    this.look();
  }

  /** The line is in another state. */
  look(): void {
    const state = this.#state();
    if (state === 'half-open' || state === 'mute') this.#isDead = true;
    if (state === 'cut') this.#answered = 0;
    for (const socket of [this.#near, this.#far]) {
      if (state === 'hung') socket.pause();
      else socket.resume();
    }
  }

  end(): void {
    this.#near.destroy();
    this.#far.destroy();
  }

  async #answer(bytes: Buffer): Promise<void> {
    if (this.#isDead) return;
    const state = this.#state();
    if (state === 'slow') {
      this.#far.pause();
      for (let start = 0; start < bytes.length && !this.#near.destroyed; start += SLOW_BYTES) {
        this.#near.write(bytes.subarray(start, start + SLOW_BYTES));
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      }
      this.look();
      return;
    }
    if (state !== 'cut') {
      this.#near.write(bytes);
      return;
    }
    const left = CUT_BYTES - this.#answered;
    this.#answered += bytes.length;
    if (bytes.length < left) this.#near.write(bytes);
    else
      this.#near.write(bytes.subarray(0, left), () => {
        this.end();
      });
  }
}

export class FaultyLine {
  readonly #target: () => string;
  readonly #connections = new Set<Connection>();
  #server: Server | null = null;
  #port = 0;
  #state: LineState = 'open';

  /** @param target  the origin of the service as it is now; it may move */
  constructor(target: () => string) {
    this.#target = target;
  }

  /** The address that the client knows. */
  get origin(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  async open(): Promise<void> {
    await this.become('open');
  }

  async become(state: LineState): Promise<void> {
    this.#state = state;
    if (state === 'refused') await this.close();
    else await this.#listen();
    for (const connection of this.#connections) connection.look();
  }

  /** Ends the connections that there are; new ones are made as ever. */
  drop(): void {
    for (const connection of this.#connections) connection.end();
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server !== null) {
      server.close();
      this.drop();
      await once(server, 'close');
    }
  }

  async #listen(): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer((near) => {
      const { hostname, port } = new URL(this.#target());
      const far = connect(Number(port), hostname);
      const connection = new Connection(near, far, () => this.#state);
      this.#connections.add(connection);
      near.once('close', () => this.#connections.delete(connection));
    });
    this.#server = server;
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address !== null && typeof address !== 'string') this.#port = address.port;
  }
}
