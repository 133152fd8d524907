/** The application beside an empty one, started as a person starts them, with nothing between. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { electronLaunch, projectDir } from '#test/support/machine.ts';
import { connectDevtools, type Devtools } from './cdp.ts';

export interface Program {
  readonly executablePath: string;
  readonly args: readonly string[];
}

/** JavaScript that is evaluated in the page. */
export interface Probe {
  /** True as soon as something is there to be painted. */
  readonly isThere: string;
  /** What is clicked then. */
  readonly target: string;
  /** True as soon as the click was answered. */
  readonly isAnswered: string;
  /** Where the next start is to find it again. */
  readonly back?: Pick<Probe, 'target' | 'isAnswered'>;
}

/** From the start of the process, in milliseconds. */
export interface StartTimes {
  readonly paintedMs: number;
  readonly answeredMs: number;
}

const LISTENING = /DevTools listening on (ws:\S+)/;
const END_LIMIT_MS = 5000;
const GIVE_UP_MS = 30_000;

export const application = (): Program => {
  if (electronLaunch === undefined) throw new Error('there is no Electron');
  return electronLaunch;
};

export interface EmptyProgram extends Program {
  readonly remove: () => Promise<void>;
}

/** With this argument its window closes once it has been shown, and the program stays. */
export const WITHOUT_WINDOW = '--without-window';

const EMPTY_MAIN = `const { app, BrowserWindow } = require('electron');
const isWithoutWindow = process.argv.includes('${WITHOUT_WINDOW}');
app.whenReady().then(async () => {
  const window = new BrowserWindow({ width: 1100, height: 760 });
  await window.loadFile('index.html');
  if (isWithoutWindow) window.destroy();
});
app.on('window-all-closed', () => { if (!isWithoutWindow) app.quit(); });
`;
const EMPTY_PAGE = `<!doctype html><meta charset="utf-8"><title>Empty</title>
<button onclick="this.ariaCurrent = 'true'">Button</button><p><textarea></textarea></p>
`;

async function writeEmptyApp(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'package.json'), '{"name":"empty","version":"1.0.0","main":"main.js"}');
  await writeFile(join(dir, 'main.js'), EMPTY_MAIN);
  await writeFile(join(dir, 'index.html'), EMPTY_PAGE);
}

/** The same runtime with one blank window and nothing else. */
export async function createEmptyProgram(): Promise<EmptyProgram> {
  const { executablePath, args } = application();
  const root = await mkdtemp(join(tmpdir(), 'hearth-bench-empty-'));
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true });
  if (args.includes(projectDir)) {
    const dir = join(root, 'app');
    await writeEmptyApp(dir);
    return { executablePath, args: args.map((arg) => (arg === projectDir ? dir : arg)), remove };
  }
  const copy = join(root, 'runtime');
  const own = join(dirname(executablePath), 'resources', 'app');
  await cp(dirname(executablePath), copy, {
    recursive: true,
    filter: (path) => !path.startsWith(own),
  });
  await writeEmptyApp(join(copy, 'resources', 'app'));
  const copied = join(copy, basename(executablePath));
  if (electronLaunch?.isPackage === true) {
    // A package runs nothing but its own archive.
    await flipFuses(copied, {
      version: FuseVersion.V1,
      [FuseV1Options.OnlyLoadAppFromAsar]: false,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: false,
    });
  }
  return { executablePath: copied, args, remove };
}

const nowMs = (): number => performance.timeOrigin + performance.now();

/** Settles with the time of the first frame in which the condition holds. */
const untilPainted = (condition: string): string => `new Promise((resolve) => {
  const look = () => {
    if (${condition}) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
      port2.postMessage(null);
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

const middleOf = (selector: string): string => `(() => {
  const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
})()`;

interface Target {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

interface Frame {
  readonly url: string;
}

interface Page {
  readonly evaluate: <T>(expression: string) => Promise<T>;
  readonly click: (at: { readonly x: number; readonly y: number }) => Promise<void>;
}

const isPage = ({ url }: Frame): boolean => url.endsWith('/index.html');

/**
 * Settles when the document of the page is there. Nothing is evaluated before that: in the empty document that stands there first
 * it would make a context, with all that is preloaded into one.
 */
async function untilDocument(devtools: Devtools, sessionId: string): Promise<void> {
  const navigated = new Promise<void>((resolve) => {
    devtools.onEvent((method, params) => {
      const { frame } = params as { readonly frame?: Frame };
      if (method === 'Page.frameNavigated' && frame !== undefined && isPage(frame)) resolve();
    });
  });
  await devtools.send('Page.enable', {}, sessionId);
  const { frameTree } = await devtools.send<{ readonly frameTree: { readonly frame: Frame } }>(
    'Page.getFrameTree',
    {},
    sessionId,
  );
  if (!isPage(frameTree.frame)) await navigated;
}

/** The page of the window, as soon as its document is there. */
async function findPage(devtools: Devtools): Promise<Page> {
  const target = await new Promise<Target>((resolve, reject) => {
    devtools.onEvent((_method, params) => {
      const info = (params as { readonly targetInfo?: Target }).targetInfo;
      if (info?.type === 'page' && isPage(info)) resolve(info);
    });
    devtools.send('Target.setDiscoverTargets', { discover: true }).catch(reject);
  });
  const { targetId } = target;
  const { sessionId } = await devtools.send<{ readonly sessionId: string }>(
    'Target.attachToTarget',
    { targetId, flatten: true },
  );
  await untilDocument(devtools, sessionId);
  async function evaluate<T>(expression: string): Promise<T> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await devtools.send<{
      readonly result: { readonly value: T };
      readonly exceptionDetails?: { readonly text: string };
    }>('Runtime.evaluate', asked, sessionId);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value;
  }
  return {
    evaluate,
    click: async (at) => {
      for (const type of ['mousePressed', 'mouseReleased']) {
        const event = { type, button: 'left', clickCount: 1, ...at };
        await devtools.send('Input.dispatchMouseEvent', event, sessionId);
      }
    },
  };
}

function devtoolsUrl(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const url = LISTENING.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`it ended with ${String(code)} at its start: ${output}`)),
    );
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}

/** Starts it on a profile, waits until it shows something, clicks there, and ends it. */
export async function timeStart(
  { executablePath, args }: Program,
  profileDir: string,
  { isThere, target, isAnswered, back }: Probe,
): Promise<StartTimes> {
  const startedAt = nowMs();
  const own = ['--remote-debugging-port=0', `--user-data-dir=${profileDir}`];
  const child = spawn(executablePath, [...args, ...own], { stdio: ['ignore', 'ignore', 'pipe'] });
  const limit = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  try {
    const devtools = await connectDevtools(await devtoolsUrl(child));
    const page = await findPage(devtools);
    const paintedAt = await page.evaluate<number>(untilPainted(isThere));
    await page.click(await page.evaluate<{ x: number; y: number }>(middleOf(target)));
    const answeredAt = await page.evaluate<number>(untilPainted(isAnswered));
    if (back !== undefined) {
      await page.click(await page.evaluate<{ x: number; y: number }>(middleOf(back.target)));
      await page.evaluate<number>(untilPainted(back.isAnswered));
    }
    devtools.close();
    return { paintedMs: paintedAt - startedAt, answeredMs: answeredAt - startedAt };
  } finally {
    clearTimeout(limit);
    await end(child);
  }
}
