/** `npm run load`: many waiting clients and a steady rate of messages, on any service. */
import { makeDataDir, removeDataDir, startService } from '../processes.ts';
import { cpuMsOf, listenerOn, residentKiBOf } from '../process-figures.ts';
import { type Account, seedOrganization, streamName } from '../seed.ts';
import { accountsOf, openClients } from './clients.ts';
import { openConnection } from './connection.ts';
import { type Measured, openOpenLoop } from './open-loop.ts';
import { type LoadOptions, loadUsage, readLoadRequest } from './options.ts';
import { onThisComputer, type Place } from './place.ts';
import { post } from './requests.ts';

/** Accounts of a service of its own: as many clients share one as people have devices, and more. */
const OWN_ACCOUNTS = 101;
const SAMPLE_MS = 1000;
const LOOPBACK = /^(localhost|::1|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

interface Office {
  readonly place: Place;
  readonly sender: Account;
  readonly receivers: readonly Account[];
  readonly stream: string;
  /** Undefined where it runs elsewhere, or the system does not tell. */
  readonly pid: number | undefined;
  readonly close: () => Promise<void>;
}

async function ownOffice(): Promise<Office> {
  const dataDir = await makeDataDir();
  const accounts = await seedOrganization(dataDir, OWN_ACCOUNTS);
  const service = await startService(dataDir);
  const [sender, ...receivers] = accounts;
  if (sender === undefined) throw new Error('no accounts');
  return {
    ...{ place: onThisComputer(service.port), sender, receivers },
    ...{ stream: streamName(0), pid: service.pid },
    async close() {
      await service.stop();
      await removeDataDir(dataDir);
    },
  };
}

async function askedOffice(
  { place, accounts }: NonNullable<LoadOptions['asked']>,
  stream: string,
): Promise<Office> {
  const connection = await openConnection(place);
  for (const account of accounts) {
    const subscriptions = JSON.stringify([{ name: stream }]);
    await connection.request(
      post({ ...account, place }, '/users/me/subscriptions', { subscriptions }),
    );
  }
  connection.close();
  const [sender] = accounts;
  if (sender === undefined) throw new Error('no accounts');
  const pid = LOOPBACK.test(place.host) ? listenerOn(place.port) : undefined;
  const close = (): Promise<void> => Promise.resolve();
  return { place, sender, receivers: accounts, stream, pid, close };
}

interface Used {
  /** Shares of one core: 0.5 is half of one. */
  readonly cores: number;
  readonly residentMiB: {
    readonly start: number;
    readonly end: number;
    readonly highest: number;
  };
}

/** What a process uses until it is asked. */
function watch(pid: number): () => Used | undefined {
  const [cpuBefore, startedAt] = [cpuMsOf(pid), performance.now()];
  const start = residentKiBOf(pid);
  let highest = start ?? 0;
  const timer = setInterval(
    () => (highest = Math.max(highest, residentKiBOf(pid) ?? 0)),
    SAMPLE_MS,
  );
  return () => {
    clearInterval(timer);
    const [cpu, end] = [cpuMsOf(pid), residentKiBOf(pid)];
    if (cpu === undefined || cpuBefore === undefined || start === undefined || end === undefined) {
      return undefined;
    }
    const cores = (cpu - cpuBefore) / (performance.now() - startedAt);
    const residentMiB = { start: start / 1024, end: end / 1024, highest: highest / 1024 };
    return { cores, residentMiB };
  };
}

interface Result extends Measured {
  readonly resumed: number;
  readonly used: Used | undefined;
}

async function run(office: Office, options: LoadOptions): Promise<Result> {
  const { place, sender, receivers, stream, pid } = office;
  const waiting = accountsOf(receivers, options.clients);
  const clients = await openClients(place, waiting, options.transport);
  const loop = await openOpenLoop({ to: place, sender, clients: [clients], stream });
  const used = pid === undefined ? () => undefined : watch(pid);
  const measured = await loop.measure(options.rate, 1000 * options.seconds);
  const result = { ...measured, resumed: clients.resumed(), used: used() };
  loop.close();
  await clients.stop();
  return result;
}

const shown = (count: number): string => count.toLocaleString('en-US');
const shares = [0.5, 0.9, 0.99, 0.999] as const;
const nameOf = (share: number): string => `p${String(100 * share)}`;
const percentilesOf = ({ times }: Measured): readonly (readonly [string, number])[] =>
  times.count === 0 ? [] : shares.map((share) => [nameOf(share), times.percentile(share)]);

function textOf(result: Result, { clients, rate, seconds, transport }: LoadOptions): string {
  const ways = transport === 'poll' ? 'by long polls' : 'on streams';
  const { sent, lost, doubled, resumed, used, times } = result;
  const all = sent * clients;
  const percentiles = percentilesOf(result).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);
  const lines = [
    `${shown(clients)} clients ${ways}, ${shown(rate)} sends/s for ${shown(seconds)} s`,
    `arrived           ${shown(all - lost)} of ${shown(all)}: ${shown(lost)} lost, ${shown(doubled)} doubled` +
      (transport === 'stream' ? `, ${shown(resumed)} streams taken up again` : ''),
    `send to receive   ${[...percentiles, `longest ${times.longest.toFixed(1)} ms`].join(', ')}`,
  ];
  if (used === undefined) return lines.join('\n');
  const { start, end, highest } = used.residentMiB;
  const [from, to, most] = [start, end, highest].map((mib) => mib.toFixed(0));
  const memory = `${from ?? ''} MiB at the beginning, ${to ?? ''} at the end, ${most ?? ''} at most`;
  return [...lines, `server            ${used.cores.toFixed(2)} of a core, ${memory}`].join('\n');
}

function jsonOf(result: Result, options: LoadOptions): string {
  const { clients, rate, seconds, transport } = options;
  const { sent, lost, doubled, resumed, used, times } = result;
  const sendToReceiveMs = { ...Object.fromEntries(percentilesOf(result)), longest: times.longest };
  return JSON.stringify(
    {
      ...{ clients, rate, seconds, transport, sent, lost, doubled, resumed, sendToReceiveMs },
      server: used ?? null,
    },
    null,
    2,
  );
}

async function load(options: LoadOptions): Promise<void> {
  const { asked, stream } = options;
  const office = asked === null ? await ownOffice() : await askedOffice(asked, stream);
  try {
    const result = await run(office, options);
    console.log(options.isJson ? jsonOf(result, options) : textOf(result, options));
    if (result.lost > 0 || result.doubled > 0) process.exitCode = 1;
  } finally {
    await office.close();
  }
}

const request = readLoadRequest(process.argv.slice(2));
switch (request.kind) {
  case 'help':
    process.stdout.write(loadUsage);
    break;
  case 'mistake':
    process.stderr.write(`${request.message} (see --help)\n`);
    process.exitCode = 2;
    break;
  case 'run':
    try {
      await load(request.options);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    }
    break;
}
