import type { ServerResponse } from 'node:http';
import { freeBytes } from '#node/files/free-bytes.ts';

/** Ends a response with bytes as they come. The next piece is asked for when the one before has gone, whose memory is free then. */
export async function sendBytes(
  response: ServerResponse,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { promise: closed, resolve: close } = Promise.withResolvers<boolean>();
  response.once('close', () => close(false));
  const send = (piece: Uint8Array): Promise<boolean> =>
    new Promise((resolve) => response.write(piece, (error) => resolve(!error)));
  try {
    for await (const piece of bytes) {
      if (!(await Promise.race([send(piece), closed]))) return;
      freeBytes(piece);
    }
    response.end();
  } catch {
    // Half of it is told already: that it ends too early says that it is not whole.
    response.destroy();
  }
}
