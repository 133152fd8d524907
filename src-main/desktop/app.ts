import { join } from 'node:path';
import { app, dialog, Menu, session } from 'electron';
import { eventNames, type BridgeCalls } from '../../src-preload/bridge.ts';
import type { Client } from '../client/calls.ts';
import { createClient } from '../client/client.ts';
import type { KeyStore } from '../client/ports.ts';
import { stderrLog as log } from '../platform/log.ts';
import { createAccountStorage } from './account-storage.ts';
import { createAccountStore, type DesktopAccountStore } from './account-store.ts';
import { serveBridge } from './bridge.ts';
import { desktopClock } from './clock.ts';
import { parseCommandLine, type CommandLine } from './command-line.ts';
import { linkAmong, LINK_SCHEME } from './deep-links.ts';
import { hasHosted, hostingPort, startCalls } from './hosted.ts';
import { createDecisionStore } from './decision-store.ts';
import { createHosting, type Hosting, type StartHost } from './hosting.ts';
import { HIDDEN } from './login-item.ts';
import { desktopFetchFile, desktopHttp } from './http.ts';
import { askAhead, createKeychain, keychainService } from './keychain.ts';
import { isOpenable, openExternally } from './links.ts';
import { createNotifications } from './notifications.ts';
import { declarePageScheme, servePage, warmPage } from './page.ts';
import { openPlaces } from './place-store.ts';
import { openPreferences } from './preference-store.ts';
import { quitCleanly } from './quit.ts';
import { createShell, type DesktopShell } from './shell.ts';
import { createSounds } from './sounds.ts';
import { restrictSession } from './trust.ts';
import { confirmLosing } from './unarrived-uploads.ts';

/** A page that is not ready by then is not waited for any longer. */
const PAGE_LIMIT_MS = 2_000;

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
  // Without any, Electron makes one of its own, only to have it replaced.
  Menu.setApplicationMenu(null);
  const links = collectLinks(commandLine.link);
  const stores = openStores();
  app
    .whenReady()
    .then(async () => open(parts, commandLine, links, await stores))
    .catch(giveUp);
}

function giveUp(error: unknown): void {
  log.error('the application could not open', { error });
  dialog.showErrorBox('Hearth could not open', String(error));
  app.exit(1);
}

/** Links that arrive before anything could open them; macOS hands one over before the application is ready. */
interface Links {
  readonly follow: (open: (link: string) => void) => void;
}

function collectLinks(first: string | undefined): Links {
  let open: ((link: string) => void) | undefined;
  const early: string[] = first === undefined ? [] : [first];
  app.on('open-url', (event, link) => {
    event.preventDefault();
    if (open === undefined) early.push(link);
    else open(link);
  });
  return {
    follow: (opener) => {
      open = opener;
      for (const link of early.splice(0)) opener(link);
    },
  };
}

/** The accounts and their keys. */
interface Stores {
  readonly accounts: DesktopAccountStore;
  readonly keys: KeyStore;
}

/** While Chromium gets ready the keychain can answer already. */
async function openStores(): Promise<Stores> {
  const profileDir = app.getPath('userData');
  const defaultDir = join(app.getPath('appData'), app.getName());
  const keys = createKeychain(keychainService(profileDir, defaultDir));
  const accounts = createAccountStore(profileDir, log);
  // Who opens the accounts hears why their list cannot be read.
  const list = await accounts.list().catch(() => []);
  return {
    accounts,
    keys: askAhead(
      keys,
      list.map(({ id }) => id),
    ),
  };
}

async function open(
  parts: DesktopParts,
  commandLine: CommandLine,
  links: Links,
  { accounts, keys }: Stores,
): Promise<void> {
  const profileDir = app.getPath('userData');
  const hosting = prepareHosting(parts, commandLine, { accounts, keys });
  const preferences = await openPreferences(profileDir, log);
  const places = await openPlaces(profileDir, log);
  const own = { preloadFile: parts.preloadFile, openLink: openIfAllowed };
  const shell = createShell({ ...own, log, preferences, places, accounts, hosting });
  const { window } = shell;

  const notifications = createNotifications(({ accountId, conversation, messageId }) => {
    window.deliver('conversationOpened', { accountId, conversation, messageId });
  });
  const sounds = createSounds(log);
  const client = createClient({
    http: desktopHttp,
    fetchFile: desktopFetchFile,
    storage: createAccountStorage(profileDir),
    keys,
    accounts,
    clock: desktopClock,
    attention: {
      isWindowFocused: window.isFocused,
      ...notifications,
      playSound: sounds.play,
      setBadge: shell.setAttention,
    },
    decisions: createDecisionStore(profileDir, log),
    choices: preferences.current,
    openLink: openExternally,
    host: hosting,
    describeShell: async () => ({
      shell: 'desktop',
      canHost: !hasHosted(await accounts.list()),
      fixedAddress: null,
      isDevelopment: false,
    }),
  });
  const { startSessions, ...starts } = startCalls(client, accounts, hosting);
  joinWindow(shell, client);
  preferences.onChange(client.reconsider);
  serveBridge(
    { ...client, ...shell.calls, ...starts, ...trackView(shell, client) },
    window.isTrusted,
  );
  quitCleanly(log, confirmLosing(client.countUnarrivedUploads), async () => {
    await shell.end();
    sounds.stop();
    await client.stop();
    notifications.closeAll();
    await hosting.stop();
  });
  preparePage(parts);
  listen(shell, links);
  if (startsHidden(commandLine)) await stayHidden(shell, client, startSessions);
  else showFirst(shell, client, startSessions);
}

function prepareHosting(
  parts: DesktopParts,
  commandLine: CommandLine,
  { accounts, keys }: Stores,
): Hosting {
  const port = (): Promise<number> => hostingPort(commandLine.port, accounts);
  const dataDir = join(app.getPath('userData'), 'service');
  return createHosting({ ...parts, dataDir, port, keys, clock: desktopClock, log });
}

function preparePage({ rendererDir }: DesktopParts): void {
  restrictSession(session.defaultSession);
  servePage(session.defaultSession, rendererDir);
}

function openIfAllowed(url: string): void {
  if (!isOpenable(url)) return;
  openExternally(url).catch((error: unknown) => {
    log.warn('a link could not be opened', { error });
  });
}

/** What the window is told, and what sessions are told of the window. */
function joinWindow({ window }: DesktopShell, client: Client): void {
  for (const event of eventNames) client.on(event, (payload) => window.send(event, payload));
  window.onFocus(client.attend);
}

/** A page that is gone shows nothing: what arrives then is not seen by anybody. */
function trackView({ window }: DesktopShell, client: Client): Pick<BridgeCalls, 'showView'> {
  const shown = new Set<string>();
  window.onPageGone(() => {
    for (const accountId of shown) void client.showView(accountId, null);
    shown.clear();
  });
  return {
    showView: (accountId, view) => {
      if (view === null) shown.delete(accountId);
      else shown.add(accountId);
      return client.showView(accountId, view);
    },
  };
}

/** What others ask of the application: a second start, a link, a click in the dock. */
function listen({ window, openDeepLink }: DesktopShell, links: Links): void {
  const follow = (link: string): void => {
    openDeepLink(link).catch((error: unknown) => {
      log.error('a link of the application could not be opened', { error });
    });
  };
  app.on('second-instance', (_event, args) => {
    const link = linkAmong(args);
    if (link !== undefined) follow(link);
    else if (!args.includes(HIDDEN)) window.open();
  });
  app.on('activate', window.open);
  // Linux takes it from the desktop file of the package. What follows `--` is never read as a switch.
  if (app.isPackaged && process.platform !== 'linux') {
    app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  }
  links.follow(follow);
}

/** A start by the system; macOS tells of it in its own way. */
const startsHidden = ({ isHidden }: CommandLine): boolean =>
  isHidden || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);

function showFirst(shell: DesktopShell, client: Client, startSessions: () => Promise<void>): void {
  shell.window.open();
  // While the process of the page starts, this one has nothing else to do.
  warmPage();
  startSessions().catch((error: unknown) => {
    log.error('the accounts could not be opened ahead of the page', { error });
  });
  beginAfterPage(shell, client).catch(giveUp);
}

/** Tray and menu take this process long enough for the page to be seen later. */
async function beginAfterPage(shell: DesktopShell, client: Client): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, PAGE_LIMIT_MS));
  await Promise.race([shell.window.firstReady, limit]);
  shell.begin(client);
}

async function stayHidden(
  shell: DesktopShell,
  client: Client,
  startSessions: () => Promise<void>,
): Promise<void> {
  shell.begin(client);
  if (await shell.canBeHidden()) {
    await startSessions();
    return;
  }
  const { window } = shell;
  window.open();
  window.native()?.once('show', () => window.native()?.minimize());
}
