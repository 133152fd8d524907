import { run } from './run.ts';

/*
 * npm run fuzz           100,000 bad requests to every endpoint, an eighth as many deliveries of integrations, as many
 *                        packets of multicast DNS, and what is no request at all
 * npm run fuzz -- 5000   as many as are named; FUZZ_SEED repeats a run
 */

const [requests = '100000'] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(requests)) {
  console.error(`the number of requests is a whole number, not ${requests}`);
  process.exit(1);
}
process.env['HEARTH_FUZZ_REQUESTS'] = requests;
const tests = 'service/fuzz service/http/malformed';
const { code, output } = await run(
  `vitest run --config test/vitest.config.ts --project service --reporter default ${tests}`,
);
console.log(output);
process.exitCode = code ?? 1;
