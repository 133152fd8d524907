import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below what systems give to outgoing connections and to whoever listens on any port: other suites ask for many of those. */
const FIRST = 20_000;
const AFTER_LAST = 30_000;

/** A port that nothing listens on now, and that nobody gets by chance before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, AFTER_LAST);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  try {
    const server = await occupy(port);
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** Another program that listens on a port of this computer. */
export async function occupy(port: number, host = '127.0.0.1'): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}
