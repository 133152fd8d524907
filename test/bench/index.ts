/** `npm run bench`: figures of the service as ratios to references that are measured in the same run. */
import { measureHistory } from './figures/history.ts';
import { measureLatency } from './figures/latency.ts';
import { measureSends } from './figures/sends.ts';
import { type BenchOptions, readBenchRequest, usage } from './options.ts';
import { jsonOf, machineLine, type Row, tableOf } from './report.ts';

/** The steps go to standard error, so that standard output holds the result alone. */
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

async function measure({ messages, isQuick }: BenchOptions): Promise<readonly Row[]> {
  const sends = isQuick ? { rounds: 2, windowMs: 300 } : { rounds: 5, windowMs: 1200 };
  const latency = isQuick
    ? { rounds: 2, windowMs: 500, warmUpMs: 500 }
    : { rounds: 3, windowMs: 4500, warmUpMs: 2000 };
  const history = isQuick ? { rounds: 2, pages: 20 } : { rounds: 5, pages: 60 };
  const rows: Row[] = [];
  for (const queues of [1, 100]) {
    tell(`sends with ${String(queues)} waiting ...`);
    rows.push(...(await measureSends(queues, sends)));
  }
  tell('history pages ...');
  rows.push(...(await measureHistory({ ...history, messages }, tell)));
  for (const [queues, rate] of [
    [1, 1000],
    [100, 100],
  ] as const) {
    tell(`send to receive with ${String(queues)} waiting ...`);
    rows.push(...(await measureLatency(queues, rate, latency)));
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

const request = readBenchRequest(process.argv.slice(2));
switch (request.kind) {
  case 'help':
    process.stdout.write(usage);
    break;
  case 'mistake':
    process.stderr.write(`${request.message} (see --help)\n`);
    process.exitCode = 2;
    break;
  case 'run':
    await bench(request.options);
    break;
}
