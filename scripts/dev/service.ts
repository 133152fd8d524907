import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectDir } from '../run.ts';

export interface DevService {
  /** The address of the one that runs now, and stays that of all that follow. */
  readonly origin: string;
  /** Ends the one that runs and starts the sources of now; what fails is told and waits for the next change. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly origin: string;
}

const entry = join(projectDir, 'src-main', 'hosting', 'serve.ts');

/** Settles when it accepts requests. What it says of mistakes comes through. */
function run(dataDir: string, port: string): Promise<Running> {
  const options = ['--dev', '--data-dir', dataDir, '--port', port];
  // Ctrl+C is meant for whoever started it, who then ends it by one signal; a second one would cut it off.
  const child = spawn(process.execPath, [entry, ...options], {
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const origin = /^serving (\S+)\n/.exec(output)?.[1];
      if (origin !== undefined) resolve({ child, origin });
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error('the service did not start')));
  });
}

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.on('exit', () => resolve());
    child.kill('SIGTERM');
  });

/** The development service, with the example organization, as a process of its own. */
export async function startDevService(
  dataDir: string,
  tell: (line: string) => void,
): Promise<DevService> {
  let running: Running | undefined = await run(dataDir, '0');
  const { origin } = running;
  const { port } = new URL(origin);
  // Nothing of it stays behind, however this process ends.
  process.on('exit', () => running?.child.kill('SIGKILL'));

  const describe = (): string => `${origin} (process ${String(running?.child.pid)})`;
  tell(`service  ${describe()}`);

  let isStopped = false;
  let isWanted = false;
  let turn: Promise<void> | undefined;

  async function startAgain(): Promise<void> {
    const startedAt = performance.now();
    if (running !== undefined) await end(running.child);
    running = undefined;
    if (isStopped) return;
    try {
      running = await run(dataDir, port);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      tell(`service  restarted in ${seconds} s: ${describe()}`);
    } catch (error) {
      tell(
        `service  ${error instanceof Error ? error.message : String(error)}; waiting for the next change`,
      );
    }
  }

  /** What changes while it restarts asks for another restart. */
  async function settle(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false;
      await startAgain();
    }
    turn = undefined;
  }

  return {
    origin,
    restart: () => {
      isWanted = true;
      turn ??= settle();
      return turn;
    },
    stop: async () => {
      isStopped = true;
      await turn;
      if (running !== undefined) await end(running.child);
    },
  };
}
