/** Connections of somebody who means no good: they write, read or do not, and never complain. */
import { connect, type Socket } from 'node:net';

export class Strangers {
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #isEnded = false;

  constructor(port: number) {
    this.#port = port;
  }

  /** @param bytes  written at once; what is answered is read and dropped */
  open(bytes: Uint8Array): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.resume();
    socket.write(bytes);
    return socket;
  }

  /**
   * Settles when all of it was written, or the service has closed the connection.
   * @param everyMs  one byte more follows that often
   */
  written(head: Uint8Array, body: Uint8Array, everyMs?: number): Promise<void> {
    const socket = this.open(head);
    if (everyMs !== undefined) {
      const timer = setInterval(() => socket.write('a'), everyMs);
      socket.once('close', () => clearInterval(timer));
    }
    return new Promise((resolve) => {
      socket.once('close', () => resolve());
      socket.write(body, () => resolve());
    });
  }

  /** Reads the beginning of an answer and nothing more. */
  stalled(bytes: Uint8Array): Promise<void> {
    const socket = this.open(bytes);
    return new Promise((resolve) => {
      socket.once('data', () => {
        socket.pause();
        resolve();
      });
      socket.once('close', () => resolve());
    });
  }

  /**
   * Sends it on so many connections, and on each of them again when it was answered, until the end; settles when each was
   * answered once.
   */
  async repeat(count: number, request: (index: number) => Uint8Array): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, index) => this.#again(index, request)));
  }

  #again(index: number, request: (index: number) => Uint8Array): Promise<void> {
    const socket = this.open(request(index));
    socket.on('data', () => socket.end());
    return new Promise((resolve) => {
      socket.on('close', () => {
        resolve();
        if (!this.#isEnded) setImmediate(() => void this.#again(index, request));
      });
    });
  }

  end(): void {
    this.#isEnded = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** A whole request. @param length  of the body, where another one is announced than is sent */
export function requestOf(
  line: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | string = '',
  length = Buffer.byteLength(body),
): Buffer {
  const all = { host: '127.0.0.1', ...headers, 'content-length': String(length) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${line} HTTP/1.1\r\n${head.join('')}\r\n`),
    Buffer.from(body),
  ]);
}
