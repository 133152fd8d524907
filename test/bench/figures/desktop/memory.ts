/** What the application holds while nobody does anything, with its window and without. */
import { setTimeout as delay } from 'node:timers/promises';
import { type DesktopApp, openApp, waitForMainView } from '../../../support/desktop-app.ts';
import { startTrayHost } from '../../../support/tray-host.ts';
import { memoryMiBOf } from '../../desktop/memory.ts';
import type { World } from '../../desktop/world.ts';
import { limited, type Row } from '../../report.ts';

const WINDOW_LIMIT_MIB = 300;
const HIDDEN_LIMIT_MIB = 150;

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
  const what = 'memory of all processes (PSS),';
  return [
    limited({ name: `${what} idle with window`, unit: 'MiB' }, shown, WINDOW_LIMIT_MIB),
    limited({ name: `${what} hidden to tray`, unit: 'MiB' }, hidden, HIDDEN_LIMIT_MIB),
  ];
}
