/** What the application holds while nobody does anything, with its window and without. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DesktopApp, openApp, waitForMainView } from '#test/support/desktop/desktop-app.ts';
import { startTrayHost } from '#test/support/desktop/tray-host.ts';
import { createEmptyProgram, type Program, WITHOUT_WINDOW } from '#test/bench/desktop/launch.ts';
import { memoryMiBOf } from '#test/bench/desktop/memory.ts';
import type { World } from '#test/bench/desktop/world.ts';
import { limited, type Row } from '#test/bench/report.ts';
import { compare } from '#test/bench/statistics.ts';

const WINDOW_LIMIT_MIB = 300;
const HIDDEN_LIMIT_MIB = 150;
const ABOVE_EMPTY_MIB = 15;

export interface MemoryPlan {
  readonly rounds: number;
  /** How long nobody has done anything. */
  readonly idleMs: number;
}

async function hideWindow({ electron, page }: DesktopApp): Promise<void> {
  const isGone = page.waitForEvent('close');
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await isGone;
}

/** What the runtime holds by itself: nothing that runs on it can hold less. */
async function measureEmpty({ executablePath, args }: Program, idleMs: number): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'hearth-bench-profile-'));
  const child = spawn(executablePath, [...args, `--user-data-dir=${dir}`], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await delay(idleMs);
  const held = memoryMiBOf(child.pid ?? 0);
  child.kill('SIGTERM');
  await ended;
  await rm(dir, { recursive: true, force: true });
  return held;
}

const beside = (
  name: string,
  against: string,
  figures: readonly number[],
  reference: number,
): Row => ({
  name,
  unit: 'MiB',
  ...compare(figures.map((figure) => ({ figure, reference }))),
  against,
  target: null,
});

export async function measureMemory(
  { profile }: World,
  { rounds, idleMs }: MemoryPlan,
): Promise<readonly Row[]> {
  const tray = await startTrayHost();
  const shown: number[] = [];
  const hidden: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const app = await openApp(profile);
    const pid = app.electron.process().pid ?? 0;
    await waitForMainView(app.page);
    await delay(idleMs);
    shown.push(memoryMiBOf(pid));
    await hideWindow(app);
    await delay(idleMs);
    hidden.push(memoryMiBOf(pid));
    await app.quit();
  }
  tray.stop();
  const empty = await createEmptyProgram();
  const emptyShown = await measureEmpty(empty, idleMs);
  const { args } = empty;
  const emptyHidden = await measureEmpty({ ...empty, args: [...args, WITHOUT_WINDOW] }, idleMs);
  await empty.remove();
  const withWindow = 'memory of all processes (PSS), idle with window';
  const withoutWindow = 'memory of all processes (PSS), hidden to tray';
  return [
    limited({ name: withWindow, unit: 'MiB' }, shown, WINDOW_LIMIT_MIB),
    beside(withWindow, 'an empty Electron window', shown, emptyShown),
    limited({ name: withoutWindow, unit: 'MiB' }, hidden, HIDDEN_LIMIT_MIB),
    {
      ...limited({ name: withoutWindow, unit: 'MiB' }, hidden, emptyHidden + ABOVE_EMPTY_MIB),
      against: 'an empty Electron without a window, and 15 MiB',
    },
  ];
}
