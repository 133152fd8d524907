/** The measured processes: the service as it is run in production, and the bare server beside it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineFlags, serveEnvironment } from '#node/own-command.ts';
import { entryOf } from '../support/entries.ts';
import { cpuMsOf, residentKiBOf } from './process-figures.ts';
import type { Watch, Watched } from './scale/watched.ts';
import { seedOrganization, type Account } from './seed.ts';

const SERVING = /^serving http:\/\/127\.0\.0\.1:(\d+)$/m;

const serviceFile = entryOf('serve');
const watchedFile = new URL('./scale/watched.ts', import.meta.url).href;
const referenceFile = fileURLToPath(new URL('./reference/server.ts', import.meta.url));

export interface Started {
  readonly port: number;
  readonly pid: number;
  /** Processor time that the process has used; undefined where the system does not tell. */
  readonly cpuMs: () => number | undefined;
  /** Memory that the process holds; undefined where the system does not tell. */
  readonly residentKiB: () => number | undefined;
  readonly stop: () => Promise<void>;
}

interface StartedChild extends Started {
  readonly child: ChildProcess;
}

/** A service that tells what its thread did while some work was under way. */
export interface WatchedService extends Started {
  readonly watch: (what: Watch, work: () => Promise<unknown>) => Promise<Watched>;
}

const children = new Set<ChildProcess>();
const dataDirs = new Set<string>();

/** Leaves nothing behind when a measurement fails or is interrupted. */
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
});
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hearth-bench-'));
  dataDirs.add(dataDir);
  return dataDir;
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
  dataDirs.delete(dataDir);
}

async function start(args: readonly string[], isWatched = false): Promise<StartedChild> {
  const options = isWatched ? [...engineFlags, '--import', watchedFile] : engineFlags;
  const child = spawn(process.execPath, [...options, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', ...(isWatched ? ['ipc' as const] : [])],
    env: { ...process.env, ...serveEnvironment },
  });
  children.add(child);
  const ended = once(child, 'close').then(() => children.delete(child));
  const port = await portOf(child);
  const { pid = 0 } = child;
  return {
    child,
    port,
    pid,
    cpuMs: () => cpuMsOf(pid),
    residentKiB: () => residentKiBOf(pid),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function portOf(child: ChildProcess): Promise<number> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const port = SERVING.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`it ended with ${String(code)} at its start`)));
  });
}

/** All clients of a measurement are on one computer. */
const manyConnections = ['connections', 'address-connections'].flatMap((name) => [
  '--limit',
  `${name}=20000`,
]);

const serviceArgs = (dataDir: string, port: number): readonly string[] => [
  serviceFile,
  '--data-dir',
  dataDir,
  '--port',
  String(port),
  '--no-rate-limits',
  ...manyConnections,
];

/** @param port  0 for any that is free */
export const startService = (dataDir: string, port = 0): Promise<Started> =>
  start(serviceArgs(dataDir, port));

export async function startWatchedService(dataDir: string): Promise<WatchedService> {
  const { child, ...started } = await start(serviceArgs(dataDir, 0), true);
  const say = async (what: Watch | 'end'): Promise<unknown> => {
    const answer = once(child, 'message');
    child.send(what);
    const [said] = (await answer) as unknown[];
    return said;
  };
  return {
    ...started,
    async watch(what, work) {
      await say(what);
      await work();
      return (await say('end')) as Watched;
    },
  };
}

export async function startReference(
  dataDir: string,
  accounts: readonly Account[],
): Promise<Started> {
  await writeFile(join(dataDir, 'accounts.json'), JSON.stringify(accounts));
  return start([referenceFile, dataDir]);
}

export interface Side extends Started {
  readonly dataDir: string;
  readonly accounts: readonly Account[];
}

/** The service and the bare server, each with an organization of its own and no messages. */
export async function startPair(
  accounts: number,
): Promise<{ readonly service: Side; readonly reference: Side }> {
  const [serviceDir, referenceDir] = [await makeDataDir(), await makeDataDir()];
  const people = await seedOrganization(serviceDir, accounts);
  return {
    service: asSide(await startService(serviceDir), serviceDir, people),
    reference: asSide(await startReference(referenceDir, people), referenceDir, people),
  };
}

const asSide = (started: Started, dataDir: string, accounts: readonly Account[]): Side => ({
  ...started,
  dataDir,
  accounts,
  async stop() {
    await started.stop();
    await removeDataDir(dataDir);
  },
});
