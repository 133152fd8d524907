/** Many clients for a while: everything arrives everywhere, once, and the service holds no more in the end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsOf, type Clients, openClients } from '#test/bench/load/clients.ts';
import { openOpenLoop, type OpenLoop } from '#test/bench/load/open-loop.ts';
import { makeDataDir, removeDataDir, type Started, startService } from '#test/bench/processes.ts';
import { seedOrganization } from '#test/bench/seed.ts';
import { median } from '#test/bench/statistics.ts';
import { shortOrLong } from '#test/support/long.ts';

const STREAMS = 1000;
const POLLS = 100;
const ACCOUNTS = 101;
const SENDS_PER_SECOND = 20;
/** In three minutes as many are sent as what is kept in memory has room for: from then on it only changes. */
const WARM_UP_MS = shortOrLong(3_000, 240_000);
const SOAK_MS = shortOrLong(15_000, 600_000);
const SAMPLE_MS = shortOrLong(200, 1_000);
/** How much of the first third the last may be. A leak of a chunk for each client is far above it within seconds. */
const ALLOWED = shortOrLong(1.5, 1.05);

let dataDir: string;
let service: Started;
let clients: readonly Clients[];
let loop: OpenLoop;

beforeAll(async () => {
  dataDir = await makeDataDir();
  const accounts = await seedOrganization(dataDir, ACCOUNTS);
  service = await startService(dataDir);
  const [sender, ...others] = accounts;
  clients = await Promise.all([
    openClients(service.port, accountsOf(others, STREAMS), 'stream'),
    openClients(service.port, accountsOf(others, POLLS), 'poll'),
  ]);
  loop = await openOpenLoop({ to: service.port, sender: sender!, clients });
});

afterAll(async () => {
  loop.close();
  for (const group of clients) await group.stop();
  await service.stop();
  await removeDataDir(dataDir);
});

test(
  'a thousand streams and a hundred polls are told everything once, and memory stays within bounds',
  { timeout: 4 * (WARM_UP_MS + SOAK_MS) + 120_000 },
  async () => {
    await loop.measure(SENDS_PER_SECOND, WARM_UP_MS);
    const held: number[] = [];
    const sample = (): void => {
      const resident = service.residentKiB();
      if (resident !== undefined) held.push(resident);
    };
    const sampling = setInterval(sample, SAMPLE_MS);
    const { sent, lost, doubled } = await loop.measure(SENDS_PER_SECOND, SOAK_MS);
    clearInterval(sampling);
    const wanted = (SENDS_PER_SECOND * SOAK_MS) / 1000;
    expect({ sent, lost, doubled }).toEqual({ sent: wanted, lost: 0, doubled: 0 });
    // Only Linux tells.
    if (held.length === 0) return;
    const third = Math.floor(held.length / 3);
    const [first, last] = [median(held.slice(0, third)), median(held.slice(-third))];
    const told = [first, last].map((kib) => `${String(Math.round(kib / 1024))} MiB`);
    process.stdout.write(`resident: ${told.join(', then ')}\n`);
    expect(last / first).toBeLessThan(ALLOWED);
  },
);
