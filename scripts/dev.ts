import { watch } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { servePage } from './dev/page.ts';
import { startDevService } from './dev/service.ts';
import { openWindow } from './dev/window.ts';
import { projectDir } from './run.ts';

/*
 * npm run dev                    the development service, and a window with the page from its sources
 * npm run dev -- --browser       without the window
 * npm run dev -- --port 9000     at another address
 * npm run dev -- --data-dir DIR  with data of its own
 */

const sources = join(projectDir, 'src-main');

/** What the service is made of; the rest of src-main is the page's or the desktop's. */
const isOfService = (file: string): boolean =>
  /^(?:backup|hosting|node|service|shared)[/\\]/.test(file);

/** An editor writes a file in several steps. */
const QUIET_MS = 50;

interface Options {
  readonly dataDir: string;
  readonly port: number;
  /** No window, even where one can be opened. */
  readonly isBrowser: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      'data-dir': {
        type: 'string',
        default: join(projectDir, 'node_modules', '.cache', 'dev-data'),
      },
      port: { type: 'string', default: '9980' },
      browser: { type: 'boolean', default: false },
    },
  });
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new Error(`--port takes a number from 0 to 65535, not '${values.port}'`);
  }
  return { dataDir: values['data-dir'], port: Number(values.port), isBrowser: values.browser };
}

/** Calls back once for changes that come together. */
function watchService(onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(sources, { recursive: true }, (_event, file) => {
    if (file === null || !isOfService(file)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

const tell = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** What has been started, the latest last. */
const started: (() => unknown)[] = [];
/** When it was first asked to end. */
let endingSince: number | undefined;

/** Ctrl+C reaches this process from the terminal, and once more from npm. */
const ECHO_MS = 1_000;

/** Also while something is still starting, which then ends with this process. */
async function end(): Promise<void> {
  if (endingSince !== undefined) {
    // Whoever asks again does not want to wait.
    if (performance.now() - endingSince > ECHO_MS) process.exit(1);
    return;
  }
  endingSince = performance.now();
  await Promise.all(started.map((stop) => stop()));
  process.exit(0);
}

/** The one that was asked for if nothing listens there, else any. */
function freePort(port: number): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.on('error', () => {
      freePort(0).then(resolve, reject);
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}

async function showWindow(page: string, service: string, dataDir: string): Promise<void> {
  const window = await openWindow(page, dataDir);
  if (typeof window === 'string') {
    tell(`window   none: ${window}; open the page in a browser`);
    return;
  }
  const closed = new Promise<void>((resolve) => {
    window.on('exit', () => resolve());
    window.on('error', () => resolve());
  });
  started.push(() => {
    window.kill('SIGTERM');
    return closed;
  });
  process.on('exit', () => window.kill('SIGKILL'));
  tell(`window   process ${String(window.pid)}; connect it to ${service}`);
  await closed;
  tell('window   closed; the page goes on in a browser');
}

async function develop(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
  const { dataDir, port: wanted, isBrowser } = readOptions();
  tell(`data     ${dataDir}`);
  const service = await startDevService(dataDir, tell);
  started.push(service.stop);
  started.push(watchService(() => void service.restart()));
  const port = await freePort(wanted);
  const server = await servePage(service.origin, port);
  started.push(() => server.close());
  const page = `http://127.0.0.1:${String(port)}`;
  tell(`page     ${page}/`);
  tell('Sign in as ada@example.com (an administrator) or ben@example.com. Ctrl+C ends everything.');
  if (!isBrowser) await showWindow(page, service.origin, dataDir);
}

try {
  await develop();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
