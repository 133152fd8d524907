import type { ServerResponse } from 'node:http';
import { freeBytes } from '#node/files/free-bytes.ts';

/** Ends a response with bytes as they come. The next piece is asked for when the one before has gone, whose memory is free then. */
export async function sendBytes(
  response: ServerResponse,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  let giveUp = (): void => undefined;
  response.once('close', () => giveUp());
  /** Whether it has gone. A promise of the end that all wait for would keep something of every piece. */
  const send = (piece: Uint8Array): Promise<boolean> =>
    new Promise((resolve) => {
      giveUp = () => resolve(false);
      response.write(piece, (error) => resolve(!error));
    });
  try {
    for await (const piece of bytes) {
      if (!(await send(piece))) return;
      freeBytes(piece);
    }
    response.end();
  } catch {
    // Half of it is told already: that it ends too early says that it is not whole.
    response.destroy();
  }
}
