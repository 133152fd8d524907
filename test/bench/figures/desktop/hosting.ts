/** How long the application's main thread is held up while the service that it hosts takes full load. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST_SECRET, createKeychain } from '#desktop/system/keychain.ts';
import {
  createProfile,
  type DesktopApp,
  openApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { freshness } from '#test/support/desktop/desktop-places.ts';
import { signIn, type World } from '#test/bench/desktop/world.ts';
import { type Connection, openConnection } from '#test/bench/load/connection.ts';
import { sendRequests } from '#test/bench/load/senders.ts';
import { type Row, shown } from '#test/bench/report.ts';
import { limitedHere, type Paced, paced } from '../own-machine.ts';
import { type Account, seedOrganization } from '#test/bench/seed.ts';

const LIMIT_MS = 50;
const ACCOUNTS = 200;
const SENDERS = 64;
const RESOLUTION_MS = 2;
/** What the service allows to one account in a minute, with some room. */
const CALLS_PER_ACCOUNT = 1000;

export interface HostingPlan {
  readonly rounds: number;
  readonly windowMs: number;
}

/** An organization on this computer as creating it leaves it, with its administrator signed in. */
async function createHosted(profile: Profile): Promise<readonly Account[]> {
  const dataDir = join(profile.dir, 'service');
  // As the application makes it: it refuses a folder that others can enter.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const accounts = await seedOrganization(dataDir, ACCOUNTS);
  const secretFile = join(dataDir, 'secret');
  const secret = await readFile(secretFile);
  await rm(secretFile);
  await createKeychain(profile.keychain).save(HOST_SECRET, secret.toString('hex'));
  const [administrator] = accounts;
  if (administrator === undefined) throw new Error('no accounts');
  await signIn(profile, profile.origin, { ...administrator, isHosted: true }, 1);
  return accounts;
}

/** The longest time between two turns of the main thread, in milliseconds. */
interface Delay {
  readonly ms: number;
  /** Of it the thread ran, and waited for a core, both NaN where the system does not tell; the rest it waited for the disk. */
  readonly ranMs: number;
  readonly queuedMs: number;
}

interface WithDelay {
  benchDelay?: { longest: Delay; readonly stop: () => void };
}

/** Under load its engine may drop the promise that carries the answer; asking again is harmless. */
async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!String(error).includes('garbage collected')) throw error;
    }
  }
}

/** Runs in the main process: it is handed over as text, so it uses nothing from here. */
function watch(_electron: unknown, resolutionMs: number): void {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const file = '/proc/self/schedstat';
  const isTold = existsSync(file);
  /** In nanoseconds, of the main thread alone. */
  const spent = (): readonly number[] =>
    isTold ? readFileSync(file, 'utf8').split(' ').map(Number) : [NaN, NaN];
  let lastMs = performance.now();
  let [lastRan = NaN, lastQueued = NaN] = spent();
  const turn = (): void => {
    const nowMs = performance.now();
    const [ran = NaN, queued = NaN] = spent();
    const ms = Math.max(0, nowMs - lastMs - resolutionMs);
    if (ms > watching.longest.ms) {
      watching.longest = {
        ms,
        ranMs: (ran - lastRan) / 1e6,
        queuedMs: (queued - lastQueued) / 1e6,
      };
    }
    [lastMs, lastRan, lastQueued] = [nowMs, ran, queued];
  };
  const timer = setInterval(turn, resolutionMs);
  timer.unref();
  const watching = {
    longest: { ms: 0, ranMs: NaN, queuedMs: NaN },
    stop: (): void => clearInterval(timer),
  };
  (globalThis as WithDelay).benchDelay?.stop();
  (globalThis as WithDelay).benchDelay = watching;
}

const startWatching = ({ electron }: DesktopApp): Promise<void> =>
  persistently(() => electron.evaluate(watch, RESOLUTION_MS));

/** Since it is watched. */
const longestDelay = ({ electron }: DesktopApp): Promise<Delay> =>
  persistently(() =>
    electron.evaluate(() => {
      const { longest } = (globalThis as WithDelay).benchDelay ?? {};
      if (longest === undefined) throw new Error('the main thread is not watched');
      return longest;
    }),
  );

interface Load {
  readonly connections: readonly Connection[];
  readonly requests: readonly string[];
  next: number;
}

async function openLoad(port: number, accounts: readonly Account[]): Promise<Load> {
  const requests = accounts.flatMap((account) => sendRequests(account, 20));
  return {
    connections: await Promise.all(Array.from({ length: SENDERS }, () => openConnection(port))),
    requests,
    next: 0,
  };
}

/** As fast as they are answered: how many in a second. The accounts take turns. */
async function sendFor(load: Load, ms: number): Promise<number> {
  const startedAt = performance.now();
  const before = load.next;
  const isMore = (): boolean =>
    performance.now() - startedAt < ms && load.next < ACCOUNTS * CALLS_PER_ACCOUNT;
  await Promise.all(
    load.connections.map(async (connection) => {
      while (isMore()) {
        const account = load.next % ACCOUNTS;
        const text = Math.floor(load.next / ACCOUNTS) % 20;
        load.next += 1;
        await connection.request(load.requests[account * 20 + text] ?? '');
      }
    }),
  );
  return ((load.next - before) * 1000) / (performance.now() - startedAt);
}

export async function measureHosting(
  { raw }: World,
  { rounds, windowMs }: HostingPlan,
): Promise<readonly Row[]> {
  const profile = await createProfile();
  const accounts = await createHosted(profile);
  const app = await openApp(profile);
  await freshness(app.page).getByText('Connected').waitFor();
  const load = await openLoad(profile.port, accounts);
  const longest: Paced<Delay>[] = [];
  const rates: number[] = [];
  for (let round = -1; round < rounds; round++) {
    await startWatching(app);
    const { result: rate, slowness } = await paced(raw, () => sendFor(load, windowMs));
    const result = await longestDelay(app);
    if (round < 0) continue;
    rates.push(rate);
    longest.push({ result, slowness });
  }
  for (const connection of load.connections) connection.close();
  await app.quit();
  await profile.remove();
  const name = 'main thread held up while hosting';
  const inAll = longest.map(({ result, slowness }) => ({ result: result.ms, slowness }));
  const part = (which: string, of: (delay: Delay) => number): readonly Row[] => {
    const figures = longest.map(({ result }) => of(result));
    return figures.some(Number.isNaN)
      ? []
      : [shown({ name: `${name}, ${which}`, unit: 'ms' }, figures)];
  };
  return [
    limitedHere(name, LIMIT_MS, inAll),
    ...part('of it the thread ran', ({ ranMs }) => ranMs),
    ...part('of it it waited for a core', ({ queuedMs }) => queuedMs),
    shown({ name: 'sends to the hosted service meanwhile', unit: '/s' }, rates),
  ];
}
