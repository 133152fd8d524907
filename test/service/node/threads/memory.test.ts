import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { busyness, returnMemory, tidyHeap } from '#node/threads/memory.ts';
import { projectDir } from '#scripts/project-dir.ts';
import { FakeClock } from '#test/support/fake-clock.ts';

test('memory that nothing needs goes back at once', async () => {
  const held = {};
  const [needed, unneeded] = [new WeakRef(held), new WeakRef({})];
  // A weak reference keeps what it names until the turn in which it was made is over.
  await setImmediate();
  returnMemory();
  expect([needed.deref(), unneeded.deref()]).toEqual([held, undefined]);
});

const memoryFile = pathToFileURL(join(projectDir, 'src-main/node/threads/memory.ts')).href;
/** Has something to collect when it is asked to, and then nothing to do. */
const worker = `require('node:worker_threads').parentPort.on('message', () => {
  let all = Array.from({ length: 3e5 }, (_, i) => ({ i }));
  gc();
  all = [];
  gc();
  require('node:worker_threads').parentPort.postMessage('done');
});`;
const program = `
  import { once } from 'node:events';
  import { setFlagsFromString } from 'node:v8';
  import { Worker } from 'node:worker_threads';
  import { stayReadyInPauses } from '${memoryFile}';
  const start = async () => {
    const started = new Worker(${JSON.stringify(worker)}, { eval: true, execArgv: [] });
    started.postMessage('go');
    await once(started, 'message');
  };
  stayReadyInPauses();
  await start();
  setFlagsFromString('--memory-reducer');
  await start();`;

test('the engine collects nothing in the pauses of a thread that stays ready, and does in those of another', async () => {
  const flags = ['--expose-gc', '--trace-memory-reducer', '--gc-memory-reducer-start-delay-ms=1'];
  const child = spawn(execPath, [...flags, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const collected = new Set<string>();
  for await (const line of createInterface({ input: child.stdout })) {
    // `[process:address:thread]`; the first thread is there before all others.
    const [, thread = ''] = /:(\d+)\].*Memory reducer/.exec(line) ?? [];
    if (thread !== '0') collected.add(thread);
    // The second one was started later: what the first one has to say has been said.
    if (thread === '2') child.kill();
  }
  expect([...collected]).toEqual(['2']);
});

const MIB = 2 ** 20;
const QUIET = 0.01;
const BUSY = 0.4;
const SIZE_AFTER = 40 * MIB;

interface Moment {
  /** How long it lasts, in looks of three seconds. */
  readonly looks: number;
  readonly share: number;
  /** Of the old generation. */
  readonly mib: number;
  readonly youngMib?: number;
}

/** How often memory went back in each moment. */
async function returns(moments: readonly Moment[]): Promise<readonly number[]> {
  const clock = new FakeClock();
  let [share, old, young, count] = [0, 0, 0, 0];
  tidyHeap(clock, {
    busy: () => share,
    size: () => ({ all: old + young, old }),
    giveBack: () => {
      count += 1;
      old = Math.min(old, SIZE_AFTER);
      young = 0;
    },
  });
  const counts: number[] = [];
  for (const moment of moments) {
    const before = count;
    ({ share } = moment);
    [old, young] = [moment.mib * MIB, (moment.youngMib ?? 0) * MIB];
    for (let look = 0; look < moment.looks; look += 1) await clock.advance(3000);
    counts.push(count - before);
  }
  return counts;
}

test('memory goes back in the seconds after a start to which nobody comes, and later after half a minute of rest when enough has come together', async () => {
  const start = { looks: 1, share: QUIET, mib: 60 };
  const more = [
    { looks: 20, share: QUIET, mib: 50 },
    { looks: 20, share: QUIET, mib: 57 },
    { looks: 20, share: QUIET, mib: 45 },
    { looks: 20, share: QUIET, mib: 45, youngMib: 10 },
    { looks: 20, share: QUIET, mib: 45, youngMib: 32 },
  ];
  expect(await returns([start, ...more])).toEqual([1, 0, 1, 0, 0, 1]);
});

test('whoever comes while it starts is not held up in the first pause', async () => {
  const start = { looks: 1, share: BUSY, mib: 60 };
  const pause = { looks: 9, share: QUIET, mib: 60 };
  const rest = { ...pause, looks: 20 };
  expect(await returns([start, pause, start, pause, start, rest])).toEqual([0, 0, 0, 0, 0, 1]);
});

test('a pause between two busy times is not interrupted', async () => {
  const start = { looks: 1, share: QUIET, mib: 60 };
  const busy = { looks: 3, share: BUSY, mib: 80 };
  const pause = { looks: 9, share: QUIET, mib: 80 };
  const rest = { ...pause, looks: 10 };
  const moments = [start, busy, pause, busy, pause, busy, rest];
  expect(await returns(moments)).toEqual([1, 0, 0, 0, 0, 0, 1]);
});

test('under a load without end memory goes back when the heap has grown by half, three minutes later at the earliest', async () => {
  const minutes = (count: number, mib: number): Moment => ({ looks: 20 * count, share: BUSY, mib });
  const moments = [minutes(2, 90), minutes(2, 90), minutes(9, 59), minutes(1, 61), minutes(2, 99)];
  expect(await returns(moments)).toEqual([0, 1, 0, 1, 0]);
});

test('a thread that did nothing but work was busy', () => {
  const busy = busyness();
  const end = performance.now() + 20;
  while (performance.now() < end);
  expect(busy()).toBeGreaterThan(0.9);
});
