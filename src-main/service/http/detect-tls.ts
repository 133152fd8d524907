/** One port for two protocols: the first byte of a connection says which one it speaks. */
import type { Socket } from 'node:net';
import type { ConnectionThrottle } from './connection-pacing.ts';

/** The record type of a TLS handshake; no method of HTTP begins with it. */
const TLS_HANDSHAKE = 0x16;

/**
 * Hands a new connection on when it has begun, with nothing of it consumed. One that says nothing in time is closed, and
 * so is one that ends before it has said anything.
 * @param arrivals  when it is its turn
 */
export function onFirstByte(
  socket: Socket,
  {
    limitMs,
    arrivals: throttle,
  }: { readonly limitMs: number; readonly arrivals: ConnectionThrottle },
  hand: (isTls: boolean) => void,
): void {
  const giveUp = setTimeout(() => socket.destroy(), limitMs);
  const ignore = (): void => undefined;
  const begin = (): void => {
    const first: unknown = socket.read(1);
    // Readable without a byte to read: it has ended.
    if (!(first instanceof Uint8Array)) {
      if (socket.readableEnded || socket.destroyed) return;
      listen();
      return;
    }
    clearTimeout(giveUp);
    socket.off('error', ignore);
    socket.off('end', end);
    socket.unshift(first);
    hand(first[0] === TLS_HANDSHAKE);
  };
  const listen = (): void => void socket.once('readable', () => throttle.admit(begin));
  const end = (): void => void socket.destroy();
  socket.on('error', ignore);
  socket.once('end', end);
  listen();
  socket.once('close', () => clearTimeout(giveUp));
}
