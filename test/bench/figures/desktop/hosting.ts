/** How long the application's main thread is held up while the service that it hosts takes full load. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import { HOST_SECRET, createKeychain } from '../../../../src-main/desktop/system/keychain.ts';
import {
  createProfile,
  type DesktopApp,
  openApp,
  type Profile,
} from '../../../support/desktop/desktop-app.ts';
import { freshness } from '../../../support/desktop/desktop-places.ts';
import { signIn, type World } from '../../desktop/world.ts';
import { type Connection, openConnection } from '../../load/connection.ts';
import { sendRequests } from '../../load/senders.ts';
import { type Row, shown } from '../../report.ts';
import { limitedHere, type Paced, paced } from '../own-machine.ts';
import { type Account, seedOrganization } from '../../seed.ts';

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

interface WithDelays {
  benchDelays?: ReturnType<typeof monitorEventLoopDelay>;
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

const startWatching = ({ electron }: DesktopApp): Promise<void> =>
  persistently(() =>
    electron.evaluate((_electron, resolution) => {
      const delays = process
        .getBuiltinModule('node:perf_hooks')
        .monitorEventLoopDelay({ resolution });
      delays.enable();
      (globalThis as WithDelays).benchDelays?.disable();
      (globalThis as WithDelays).benchDelays = delays;
    }, RESOLUTION_MS),
  );

/** The longest time between two turns of the main thread since it is watched, in milliseconds. */
async function longestDelayMs({ electron }: DesktopApp): Promise<number> {
  const longestNs = await persistently(() =>
    electron.evaluate(() => (globalThis as WithDelays).benchDelays?.max ?? 0),
  );
  return Math.max(0, longestNs / 1e6 - RESOLUTION_MS);
}

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
  const longest: Paced<number>[] = [];
  const rates: number[] = [];
  for (let round = -1; round < rounds; round++) {
    await startWatching(app);
    const { result: rate, slowness } = await paced(raw, () => sendFor(load, windowMs));
    const delayMs = await longestDelayMs(app);
    if (round < 0) continue;
    rates.push(rate);
    longest.push({ result: delayMs, slowness });
  }
  for (const connection of load.connections) connection.close();
  await app.quit();
  await profile.remove();
  return [
    limitedHere('main thread held up while hosting', LIMIT_MS, longest),
    shown({ name: 'sends to the hosted service meanwhile', unit: '/s' }, rates),
  ];
}
