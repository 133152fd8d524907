/**
 * HTTP as cheap as a client can have it: one request at a time on a connection that stays open, nothing parsed but
 * the status and the length. What the load costs is taken from the machine that is being measured.
 */
import { onThisComputer, type Place, reach } from './place.ts';

const READ_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';

export interface Connection {
  /**
   * Answers the body, which is valid until the next request on this connection.
   * @param bytes  a whole request, head and body, in ASCII
   */
  readonly request: (bytes: string) => Promise<Buffer>;
  /** False once the service has closed it, as it does with one that was idle for long. */
  readonly isOpen: () => boolean;
  readonly close: () => void;
}

interface Pending {
  readonly resolve: (body: Buffer) => void;
  readonly reject: (reason: Error) => void;
}

interface Head {
  readonly status: number;
  readonly bodyStart: number;
  readonly end: number;
}

function readHead(received: Buffer): Head | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${head}`);
  const bodyStart = headEnd + HEAD_END.length;
  return { status: Number(head.slice(9, 12)), bodyStart, end: bodyStart + Number(length) };
}

/** What has arrived of one answer. */
class Receiver {
  #buffer = Buffer.allocUnsafe(READ_BYTES);
  #length = 0;
  #head: Head | undefined;

  /** The body when it is complete. */
  take(chunk: Uint8Array, size: number): Buffer | undefined {
    this.#reserve(this.#length + size);
    this.#buffer.set(chunk.subarray(0, size), this.#length);
    this.#length += size;
    this.#head ??= readHead(this.#buffer.subarray(0, this.#length));
    if (this.#head === undefined || this.#length < this.#head.end) return undefined;
    const { status, bodyStart, end } = this.#head;
    const body = this.#buffer.subarray(bodyStart, end);
    this.#head = undefined;
    this.#length = 0;
    if (status !== 200) throw new Error(`answered ${String(status)}: ${body.toString()}`);
    return body;
  }

  #reserve(size: number): void {
    if (size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * size);
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** @param to  a port of this computer, or a place elsewhere */
export async function openConnection(to: number | Place): Promise<Connection> {
  const receiver = new Receiver();
  let pending: Pending | undefined;
  const fail = (reason: Error): void => {
    pending?.reject(reason);
    pending = undefined;
  };
  const socket = await reach(typeof to === 'number' ? onThisComputer(to) : to, {
    buffer: Buffer.allocUnsafe(READ_BYTES),
    callback(size, chunk) {
      try {
        const body = receiver.take(chunk, size);
        const waiting = pending;
        if (body === undefined || waiting === undefined) return true;
        pending = undefined;
        waiting.resolve(body);
      } catch (error) {
        fail(error as Error);
      }
      return true;
    },
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  return {
    request: (bytes) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) reject(new Error('the connection is closed'));
        pending = { resolve, reject };
        socket.write(bytes, 'latin1');
      }),
    isOpen: () => !socket.destroyed && socket.readyState === 'open',
    close: () => socket.destroy(),
  };
}
