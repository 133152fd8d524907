import { join } from 'node:path';
import { app, dialog, powerMonitor, session } from 'electron';
import { eventNames, type BridgeCalls, type StartState } from '../../src-preload/bridge.ts';
import type { Client } from '../client/calls.ts';
import { createClient } from '../client/client.ts';
import type { AccountStore } from '../client/ports.ts';
import type { Account } from '../contract/models/client.ts';
import { success, type Outcome } from '../contract/outcome.ts';
import { stderrLog as log } from '../platform/log.ts';
import { createAccountStore, type DesktopAccountStore } from './account-store.ts';
import { serveBridge } from './bridge.ts';
import { desktopClock } from './clock.ts';
import { parseCommandLine, type CommandLine } from './command-line.ts';
import { createHosting, type Hosting, type StartHost } from './hosting.ts';
import { desktopHttp } from './http.ts';
import { createKeychain, keychainService } from './keychain.ts';
import { isOpenable, openExternally } from './links.ts';
import { installMenu } from './menu.ts';
import { createNotifications } from './notifications.ts';
import { declarePageScheme, servePage } from './page.ts';
import { quitCleanly } from './quit.ts';
import { restrictSession } from './trust.ts';
import { createMainWindow, type MainWindow } from './window.ts';

const DEFAULT_PORT = 9981;

interface DesktopParts {
  readonly startHost: StartHost;
  readonly workerFile: string;
  readonly preloadFile: string;
  readonly rendererDir: string;
}

/** Runs the desktop application; a second one on the same profile brings the first one's window to the front. */
export function runDesktop(parts: DesktopParts): void {
  let commandLine: CommandLine;
  try {
    commandLine = parseCommandLine(process.argv.slice(1));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    app.exit(2);
    return;
  }
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  declarePageScheme();
  app.whenReady().then(() => open(parts, commandLine), giveUp);
}

function giveUp(error: unknown): void {
  log.error('the application could not open', { error });
  dialog.showErrorBox('Hearth could not open', String(error));
  app.exit(1);
}

function open(parts: DesktopParts, commandLine: CommandLine): void {
  const profileDir = app.getPath('userData');
  const defaultDir = join(app.getPath('appData'), app.getName());
  const keys = createKeychain(keychainService(profileDir, defaultDir));
  const accounts = createAccountStore(profileDir, log);
  const port = (): Promise<number> => hostingPort(commandLine, accounts);
  const dataDir = join(profileDir, 'service');
  const hosting = createHosting({ ...parts, dataDir, port, keys, clock: desktopClock, log });

  const window = createMainWindow({ preloadFile: parts.preloadFile, log, openLink: openIfAllowed });
  const notifications = createNotifications(({ accountId, conversation }) => {
    window.open();
    client.openConversation(accountId, conversation);
  });
  const client = createClient({
    http: desktopHttp,
    keys,
    accounts,
    clock: desktopClock,
    attention: { isWindowFocused: window.isFocused, notify: notifications.notify },
    openLink: openExternally,
    host: hosting,
    describeShell: async () => ({
      shell: 'desktop',
      canHost: !hasHosted(await accounts.list()),
      fixedAddress: null,
      isDevelopment: false,
    }),
  });
  joinWindow(window, client);
  window.onFocus(notifications.attend);
  serveBridge(
    {
      ...client,
      ...startCalls(client, accounts, hosting),
      showView: async (accountId, view) => {
        notifications.show(accountId, view);
        return client.showView(accountId, view);
      },
    },
    window.isTrusted,
  );
  quitCleanly(log, async () => {
    notifications.closeAll();
    await client.stop();
    await hosting.stop();
  });
  prepareAndShow(parts, window);
}

/** A port given now, else the one that the organization has, because its people know that address. */
async function hostingPort(commandLine: CommandLine, accounts: AccountStore): Promise<number> {
  if (commandLine.port !== undefined) return commandLine.port;
  const hosted = (await accounts.list()).find(({ isHosted }) => isHosted);
  const known = hosted === undefined ? 0 : Number(new URL(hosted.address).port);
  return known === 0 ? DEFAULT_PORT : known;
}

const hasHosted = (accounts: readonly Account[]): boolean =>
  accounts.some(({ isHosted }) => isHosted);

function openIfAllowed(url: string): void {
  if (!isOpenable(url)) return;
  openExternally(url).catch((error: unknown) => {
    log.warn('a link could not be opened', { error });
  });
}

/** What the window is told, and what sessions are told of the window and of the computer. */
function joinWindow(window: MainWindow, client: Client): void {
  for (const event of eventNames) client.on(event, (payload) => window.send(event, payload));
  window.onFocus(client.attend);
  powerMonitor.on('resume', client.wake);
}

/** `start` and `retryStart` with what only this shell knows. */
function startCalls(
  client: Client,
  accounts: DesktopAccountStore,
  hosting: Hosting,
): Pick<BridgeCalls, 'start' | 'retryStart'> {
  /** The organization lives here whether somebody is signed in here or not: colleagues reach for it. */
  async function hostWithoutAccount(): Promise<void> {
    if (!hasHosted(await accounts.list()) && (await hosting.hasData())) await hosting.start();
  }

  function withDamage(started: Outcome<StartState>): Outcome<StartState> {
    const damaged = accounts.takeDamaged();
    if (!started.ok || damaged === undefined || started.value.problem !== null) return started;
    const message = `The list of your organizations was damaged and is now in ${damaged}. Go on and sign in again; nothing else is lost.`;
    return success({ ...started.value, problem: { code: 'ACCOUNTS_DAMAGED', message } });
  }

  const complete = async (start: BridgeCalls['start']): Promise<Outcome<StartState>> => {
    await hostWithoutAccount();
    return withDamage(await start());
  };
  return { start: () => complete(client.start), retryStart: () => complete(client.retryStart) };
}

function prepareAndShow({ rendererDir }: DesktopParts, window: MainWindow): void {
  restrictSession(session.defaultSession);
  servePage(session.defaultSession, rendererDir);
  installMenu();
  app.on('second-instance', window.open);
  app.on('activate', window.open);
  window.open();
}
