/** Connections whose other side takes nothing of what it asked for (API decisions 13). */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#node/clock.ts';

const STALL_MS = 60_000;
const SWEEP_MS = 5_000;

/** Node gives the bytes that the system has not taken yet to its own timeouts alone. */
interface WithHandle {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

class Progress {
  readonly #socket: Socket;
  #taken = -1;
  #queued = -1;
  #movedAtMs: number;

  constructor(socket: Socket, nowMs: number) {
    this.#socket = socket;
    this.#movedAtMs = nowMs;
  }

  /** Whether something waits to be taken, and nothing has been for too long. One that waits for us is not stalled. */
  isStalled(nowMs: number): boolean {
    const { bytesWritten, writableLength } = this.#socket;
    const queued = (this.#socket as unknown as WithHandle)._handle?.writeQueueSize ?? 0;
    const taken = bytesWritten - writableLength;
    const isMoving = taken !== this.#taken || queued !== this.#queued;
    if (isMoving || (writableLength === 0 && queued === 0)) this.#movedAtMs = nowMs;
    this.#taken = taken;
    this.#queued = queued;
    return nowMs - this.#movedAtMs >= STALL_MS;
  }
}

/** Ends each connection that takes nothing of an answer for a minute, whoever writes it. */
export function endStalled(server: Server, clock: Clock): void {
  const connections = new Map<Socket, Progress>();

  function sweep(): void {
    const now = clock.now();
    for (const [socket, progress] of connections) if (progress.isStalled(now)) socket.destroy();
    if (connections.size > 0) clock.setTimer(sweep, SWEEP_MS);
  }

  server.on('request', ({ socket }) => {
    if (connections.has(socket)) return;
    if (connections.size === 0) clock.setTimer(sweep, SWEEP_MS);
    connections.set(socket, new Progress(socket, clock.now()));
    socket.once('close', () => connections.delete(socket));
  });
}
