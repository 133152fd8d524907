/** `npm run bench`: figures of the service as ratios to references that are measured in the same run. */
import { measureAdversarial } from './figures/adversarial.ts';
import { measureBeside } from './figures/beside.ts';
import { measureDisk } from './figures/disk.ts';
import { measureFanOut } from './figures/fan-out.ts';
import { measureFirstSync } from './figures/first-sync.ts';
import { measureHeld } from './figures/held.ts';
import { measureHistory } from './figures/history.ts';
import { measureIdle } from './figures/idle.ts';
import { measureLarge, measureResident } from './figures/large.ts';
import { measureLatency } from './figures/latency.ts';
import { measureScale } from './figures/scale.ts';
import { measureSearch } from './figures/search.ts';
import { measureSends } from './figures/sends.ts';
import type { Transport } from './load/clients.ts';
import { type BenchOptions, readBenchRequest, usage } from './options.ts';
import { jsonOf, machineLine, type Row, tableOf } from './report.ts';
import { scaleTable, verdictOf } from './scale/verdict.ts';

/** The steps go to standard error, so that standard output holds the result alone. */
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

type Measure = (options: BenchOptions) => Promise<readonly Row[]>;

async function measureAllSends({ isQuick }: BenchOptions): Promise<readonly Row[]> {
  const plan = isQuick ? { rounds: 2, windowMs: 300 } : { rounds: 5, windowMs: 1200 };
  const rows: Row[] = [];
  for (const queues of [1, 100, 1000]) {
    tell(`sends with ${String(queues)} waiting ...`);
    // A thousand fetches for each make a window of a second one of a dozen commits.
    const windowMs = plan.windowMs * (queues === 1000 ? 3 : 1);
    rows.push(...(await measureSends(queues, { ...plan, windowMs })));
  }
  return rows;
}

/** Waiting clients and sends per second. */
const loads: Readonly<Record<Transport, readonly (readonly [number, number])[]>> = {
  poll: [
    [1, 1000],
    [100, 100],
    [1000, 20],
  ],
  stream: [
    [100, 100],
    [1000, 20],
    [1000, 100],
  ],
};

const measureLatencies =
  (transport: Transport): Measure =>
  async ({ isQuick }) => {
    const plan = isQuick
      ? { rounds: 2, windowMs: 500, warmUpMs: 500 }
      : { rounds: 11, windowMs: 1500, warmUpMs: 4000 };
    const rows: Row[] = [];
    for (const [clients, sendsPerSecond] of loads[transport]) {
      tell(`send to receive with ${String(clients)} waiting ...`);
      // What one client waits for is what the disk and the system do in that moment: p99 is 0.3 to 4 times by round.
      const rounds = plan.rounds * (clients === 1 ? 2 : 1);
      // Of 150 messages p99 is the second slowest, and any pause of the machine is in it.
      const windowMs = plan.windowMs * (transport === 'poll' && clients > 1 ? 4 : 1);
      const load = { transport, clients, sendsPerSecond };
      rows.push(...(await measureLatency(load, { ...plan, rounds, windowMs })));
    }
    return rows;
  };

/** What it needs is loaded when it is asked for: the figures of the service are there without Electron and a keychain. */
async function measureDesktopOrTell({
  names,
  messages,
  isQuick,
}: BenchOptions): Promise<readonly Row[]> {
  const { desktopObstacle } = await import('./desktop/ready.ts');
  const obstacle = desktopObstacle();
  if (obstacle !== undefined) {
    tell(`desktop is left out: ${obstacle}`);
    if (names.includes('desktop')) process.exitCode = 1;
    return [];
  }
  const { measureDesktop, quickDesktop, thoroughDesktop } = await import('./figures/desktop.ts');
  return measureDesktop(isQuick ? quickDesktop : thoroughDesktop(messages), tell);
}

/** Prints a table of its own: a figure there has three sizes and no reference. */
async function measureScaleOrTell({
  names,
  isQuick,
  isJson,
}: BenchOptions): Promise<readonly Row[]> {
  if (!names.includes('scale')) {
    tell('scale is left out: it is measured where it is named');
    return [];
  }
  const sizes = [10_000, 100_000, ...(isQuick ? [] : [1_000_000])];
  const lines = await measureScale(sizes, tell);
  if (lines.some((line) => !verdictOf(line, sizes).isMet)) process.exitCode = 1;
  (isJson ? tell : console.log)(`\n${scaleTable(lines, sizes)}`);
  return [];
}

/** By the name that selects them on the command line. */
const measures: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ['sends', measureAllSends],
  [
    'history',
    ({ messages, isQuick }) =>
      measureHistory(
        {
          ...(isQuick
            ? { rounds: 2, pages: 20, warmUpMs: 1500 }
            : { rounds: 5, pages: 60, warmUpMs: 4000 }),
          messages,
        },
        tell,
      ),
  ],
  [
    'search',
    ({ messages, isQuick }) =>
      measureSearch(
        {
          ...(isQuick
            ? { rounds: 2, searches: 20, warmUpMs: 1500 }
            : { rounds: 5, searches: 60, warmUpMs: 4000 }),
          messages,
        },
        tell,
      ),
  ],
  ['held', ({ messages, isQuick }) => measureHeld({ messages, rounds: isQuick ? 2 : 5 }, tell)],
  ['adversarial', ({ isQuick }) => measureAdversarial({ rounds: isQuick ? 2 : 5 }, tell)],
  ['latency', measureLatencies('poll')],
  ['streams', measureLatencies('stream')],
  [
    'beside',
    ({ messages, isQuick }) =>
      measureBeside(
        isQuick
          ? { messages, rounds: 2, windowMs: 3000, loadMs: 5000 }
          : { messages, rounds: 5, windowMs: 15_000, loadMs: 600_000 },
        tell,
      ),
  ],
  [
    'fan-out',
    ({ isQuick }) => measureFanOut(isQuick ? { rounds: 2, sends: 50 } : { rounds: 5, sends: 300 }),
  ],
  ['large', ({ messages, isQuick }) => measureLarge({ messages, rounds: isQuick ? 2 : 5 })],
  [
    'idle',
    ({ isQuick }) => measureIdle(isQuick ? { rounds: 1, polls: 300 } : { rounds: 3, polls: 4000 }),
  ],
  ['resident', () => measureResident()],
  ['disk', ({ messages }) => measureDisk(messages)],
  ['first-sync', ({ messages }) => measureFirstSync(messages, tell)],
  ['scale', measureScaleOrTell],
  ['desktop', measureDesktopOrTell],
]);

/** A figure that cannot be measured does not take an hour of others with it. */
async function measure(options: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, run] of measures) {
    if (options.names.length > 0 && !options.names.includes(name)) continue;
    tell(`${name} ...`);
    try {
      rows.push(...(await run(options)));
    } catch (error) {
      console.error(`${name} could not be measured:`, error);
      process.exitCode = 1;
    }
  }
  return rows;
}

async function bench(options: BenchOptions): Promise<void> {
  const startedAt = performance.now();
  tell(machineLine());
  const rows = await measure(options);
  console.log(options.isJson ? jsonOf(rows, options) : `\n${tableOf(rows)}`);
  tell(`\n${((performance.now() - startedAt) / 1000).toFixed(0)} s; ${machineLine()}`);
}

const request = readBenchRequest(process.argv.slice(2), [...measures.keys()]);
switch (request.kind) {
  case 'help':
    process.stdout.write(usage([...measures.keys()]));
    break;
  case 'mistake':
    process.stderr.write(`${request.message} (see --help)\n`);
    process.exitCode = 2;
    break;
  case 'run':
    await bench(request.options);
    break;
}
