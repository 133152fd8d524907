/** The desktop application as a person has it: real Electron, a real desktop session, many messages in its cache. */
import { openApp, waitForMainView } from '#test/support/desktop/desktop-app.ts';
import { createWorld, type World } from '../desktop/world.ts';
import type { Row } from '../report.ts';
import { measureCatchUp } from './desktop/catch-up.ts';
import { measureColdStart } from './desktop/cold-start.ts';
import { type HostingPlan, measureHosting } from './desktop/hosting.ts';
import {
  measureCacheSearch,
  measureWindowSearch,
  searchKinds,
  type SearchPlan,
} from './desktop/local-search.ts';
import { measureMemory, type MemoryPlan } from './desktop/memory.ts';
import { measureScriptSize } from './desktop/script-size.ts';
import {
  measureScrolling,
  measureSwitching,
  measureTyping,
  type WindowPlan,
} from './desktop/window.ts';

export interface DesktopPlan {
  readonly messages: number;
  readonly starts: number;
  readonly memory: MemoryPlan;
  readonly window: WindowPlan;
  readonly missed: number;
  readonly search: SearchPlan;
  readonly hosting: HostingPlan;
}

type Tell = (line: string) => void;

export const thoroughDesktop = (messages: number): DesktopPlan => ({
  messages,
  starts: 7,
  memory: { rounds: 3, idleMs: 10_000 },
  // What a person feels is as much what the machine does in that moment.
  window: { rounds: 5, switches: 60, keys: 120, scrollMs: 10_000, loaded: 10_000 },
  missed: 5000,
  search: { rounds: 5, searches: 60 },
  // No more: each of its accounts may make so many calls in a minute, and five rounds take nearly all of them.
  hosting: { rounds: 5, windowMs: 8000 },
});

export const quickDesktop: DesktopPlan = {
  messages: 25_000,
  starts: 1,
  memory: { rounds: 1, idleMs: 1000 },
  window: { rounds: 1, switches: 10, keys: 20, scrollMs: 1000, loaded: 1000 },
  missed: 1000,
  search: { rounds: 1, searches: 20 },
  hosting: { rounds: 1, windowMs: 1000 },
};

/** In one window, one after the other; the last one without the service. */
async function measureWindow(world: World, plan: DesktopPlan, tell: Tell): Promise<readonly Row[]> {
  const { window, missed, search } = plan;
  const app = await openApp(world.profile);
  try {
    await waitForMainView(app.page);
    tell('  switching');
    const switching = await measureSwitching(world, app, window);
    tell('  scrolling');
    const scrolling = await measureScrolling(app, window);
    tell('  catching up');
    const catchUp = await measureCatchUp(world, app, { rounds: window.rounds, missed });
    tell('  searching without the service');
    const kinds = searchKinds(world);
    await world.stop();
    const searching = await measureWindowSearch(world, app.page, kinds, search);
    return [...switching, ...scrolling, ...catchUp, ...searching];
  } finally {
    await app.quit();
  }
}

async function measureInWorld(
  world: World,
  plan: DesktopPlan,
  tell: Tell,
): Promise<readonly Row[]> {
  tell('  searching the cache');
  const searching = await measureCacheSearch(world, searchKinds(world), plan.search);
  tell('  starting');
  const starting = await measureColdStart(world, { rounds: plan.starts });
  tell('  memory');
  const memory = await measureMemory(world, plan.memory);
  tell('  writing');
  const typing = await measureTyping(world, plan.window);
  const window = await measureWindow(world, plan, tell);
  return [...starting, ...memory, ...typing, ...window, ...searching];
}

export async function measureDesktop(plan: DesktopPlan, tell: Tell): Promise<readonly Row[]> {
  const size = await measureScriptSize();
  const world = await createWorld(plan.messages, tell);
  try {
    const rows = await measureInWorld(world, plan, tell);
    tell('  hosting');
    const hosting = await measureHosting(world, plan.hosting);
    return [...rows, ...size, ...hosting];
  } finally {
    await world.remove();
  }
}
