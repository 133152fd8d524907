/** From the start of the process to a window that shows something and answers a click. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  application,
  createEmptyProgram,
  type Probe,
  timeStart,
} from '#test/bench/desktop/launch.ts';
import type { World } from '#test/bench/desktop/world.ts';
import type { Row } from '#test/bench/report.ts';
import { limitedHere, type Paced, paced } from '../own-machine.ts';
import { compare, inTurn, type Round } from '#test/bench/statistics.ts';

const LIMIT_MS = 1000;

/**
 * Conversations with something new, or messages; then another row of the left column is clicked, and after that the first one
 * again, because a start shows what was left.
 */
const hearth: Probe = {
  isThere: `document.querySelector('main li, main [data-message-id]') !== null`,
  target: `nav li:nth-child(2) [data-row]`,
  isAnswered: `document.querySelector('nav li:nth-child(2) [data-row][aria-current]') !== null`,
  back: {
    target: 'nav li:nth-child(1) [data-row]',
    isAnswered: `document.querySelector('nav li:nth-child(1) [data-row][aria-current]') !== null`,
  },
};
const empty: Probe = {
  isThere: `document.querySelector('button') !== null`,
  target: 'button',
  isAnswered: `document.querySelector('[aria-current]') !== null`,
};

export async function measureColdStart(
  { profile, raw }: World,
  { rounds }: { readonly rounds: number },
): Promise<readonly Row[]> {
  const emptyProgram = await createEmptyProgram();
  const emptyDir = await mkdtemp(join(tmpdir(), 'hearth-bench-profile-'));
  const painted: Paced<number>[] = [];
  const clickable: Paced<number>[] = [];
  const answered: Round[] = [];
  // The first start makes what later ones find: caches of code, databases of the browser.
  for (let round = -1; round < rounds; round++) {
    const { result, slowness } = await paced(raw, () =>
      inTurn(
        round,
        () => timeStart(application(), profile.dir, hearth),
        () => timeStart(emptyProgram, emptyDir, empty),
      ),
    );
    if (round < 0) continue;
    const [own, reference] = result;
    painted.push({ result: own.paintedMs, slowness });
    clickable.push({ result: own.answeredMs, slowness });
    answered.push({ figure: own.answeredMs, reference: reference.answeredMs });
  }
  await rm(emptyDir, { recursive: true, force: true });
  await emptyProgram.remove();
  const name = 'start to painted and clickable';
  return [
    limitedHere('start to painted', LIMIT_MS, painted),
    limitedHere(name, LIMIT_MS, clickable),
    {
      name,
      unit: 'ms',
      ...compare(answered),
      against: 'an empty Electron window',
      target: { kind: 'at-most', ratio: 1.5 },
    },
  ];
}
