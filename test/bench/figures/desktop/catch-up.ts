/** What was missed while the computer slept, from the moment it wakes until the window has all of it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import type { BridgeEvents, ExposedBridge } from '#shared/bridge/bridge.ts';
import type { UnreadConversations } from '#shared/bridge/models/client-state.ts';
import type { DesktopApp } from '#test/support/desktop/desktop-app.ts';
import { familyOf } from '#test/bench/desktop/memory.ts';
import type { World } from '#test/bench/desktop/world.ts';
import { openSenders } from '#test/bench/load/senders.ts';
import { type Row, shown } from '#test/bench/report.ts';
import { limitedHere, type Paced, paced } from '../own-machine.ts';

const LIMIT_MS = 1000;
const SENDERS = 16;
/** Long enough for the page to tell its sleep from work. */
const ASLEEP_MS = 1500;

export interface CatchUpPlan {
  readonly rounds: number;
  readonly missed: number;
}

interface CaughtUp {
  /** When everything was there, in milliseconds since 1970. */
  readonly atMs: number;
  /** The longest time for which the page answered nothing. */
  readonly longestBlockMs: number;
}

interface WithCatchUp {
  readonly bridge: ExposedBridge;
  benchCaughtUp?: Promise<CaughtUp>;
}

/** Runs in the page: begins to look for the state in which all of the missed messages are counted. */
async function awaitUnread([accountId, missed]: readonly [string, number]): Promise<void> {
  const page = globalThis as unknown as WithCatchUp;
  const sum = (unread: UnreadConversations): number =>
    Object.values(unread).reduce((total, { count }) => total + count, 0);
  const state = await page.bridge.state(accountId);
  if (!state.ok) throw new Error(state.failure.message);
  const wanted = sum(state.value.unread) + missed;
  let longestBlockMs = 0;
  // The time asleep is no block: nothing else takes more than a second.
  let lastTurn = Date.now();
  let isAwake = false;
  const turns = new MessageChannel();
  const turn = (): void => {
    const now = Date.now();
    if (isAwake) longestBlockMs = Math.max(longestBlockMs, now - lastTurn);
    else if (now - lastTurn > 1000) isAwake = true;
    lastTurn = now;
  };
  const timer = setInterval(turn, 2);
  page.benchCaughtUp = new Promise((resolve) => {
    const stop = page.bridge.on('stateChanged', (json) => {
      const { unread } = (JSON.parse(json) as BridgeEvents['stateChanged']).changes;
      if (unread === undefined || sum(unread) < wanted) return;
      stop();
      // Everything that follows from it is in the next frame.
      requestAnimationFrame(() => {
        turns.port1.onmessage = () => {
          turn();
          clearInterval(timer);
          resolve({ atMs: performance.timeOrigin + performance.now(), longestBlockMs });
        };
        turns.port2.postMessage(null);
      });
    });
  });
}

const caughtUp = (page: Page): Promise<CaughtUp> =>
  page.evaluate(async () => {
    const { benchCaughtUp } = globalThis as unknown as WithCatchUp;
    if (benchCaughtUp === undefined) throw new Error('nobody waits for it');
    return benchCaughtUp;
  });

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) process.kill(pid, signal);
};

export async function measureCatchUp(
  { account, accounts, port, raw }: World,
  { electron, page }: Pick<DesktopApp, 'electron' | 'page'>,
  { rounds, missed }: CatchUpPlan,
): Promise<readonly Row[]> {
  const senders = await openSenders(port, accounts.slice(1, 1 + SENDERS));
  // Where none of it is shown, as in most windows.
  await page.locator('nav li:nth-child(1) [data-row]').first().click();
  const times: Paced<number>[] = [];
  const blocks: number[] = [];
  const sleepAndWake = async (): Promise<CaughtUp & { readonly tookMs: number }> => {
    // Its processes stand still, as on a laptop that is closed.
    const family = familyOf(electron.process().pid ?? 0);
    signalAll(family, 'SIGSTOP');
    await Promise.all([senders.sendMany(SENDERS, missed), delay(ASLEEP_MS)]);
    const resumedAt = performance.timeOrigin + performance.now();
    signalAll(family, 'SIGCONT');
    const found = await caughtUp(page);
    return { ...found, tookMs: found.atMs - resumedAt };
  };
  for (let round = -1; round < rounds; round++) {
    await page.evaluate(awaitUnread, [account.id, missed] as const);
    const { result, slowness } = await paced(raw, sleepAndWake);
    if (round < 0) continue;
    times.push({ result: result.tookMs, slowness });
    blocks.push(result.longestBlockMs);
  }
  senders.close();
  const what = missed.toLocaleString('en-US');
  return [
    limitedHere(`catching up ${what} missed messages`, LIMIT_MS, times),
    shown({ name: 'longest time without an answer of the page meanwhile', unit: 'ms' }, blocks),
  ];
}
