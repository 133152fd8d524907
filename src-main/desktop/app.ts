import { hostname, release } from 'node:os';
import { join } from 'node:path';
import { app, dialog, Menu, session } from 'electron';
import { eventNames, type BridgeCalls } from '../../src-preload/bridge.ts';
import type { Client } from '../client/client.ts';
import { createClient } from '../client/client.ts';
import type { ClientPorts, KeyStore } from '../client/ports.ts';
import type { Shell } from '../bridge/bridge.ts';
import { stderrLog as log } from '../platform/log.ts';
import { ownAddresses, ownNetworks } from '../platform/own-addresses.ts';
import { createAccountStorage } from './storage/account-storage.ts';
import { createAccountStore, type DesktopAccountStore } from './storage/account-store.ts';
import { serveBridge } from './windows/bridge.ts';
import { desktopClock } from './system/clock.ts';
import { parseCommandLine, type CommandLine } from './system/command-line.ts';
import { linkAmong, LINK_SCHEME } from './system/deep-links.ts';
import { hasHosted, hostedHere, hostedName, hostingPort, startCalls } from './hosting/hosted.ts';
import { createHostingStore, type HostingStore } from './storage/hosting-store.ts';
import { createDecisionStore } from './storage/decision-store.ts';
import { createHosting, type Hosting, type StartHost } from './hosting/hosting.ts';
import { announceOffice } from './hosting/announcing.ts';
import { createOfficeReach, type OfficeReachControl } from './hosting/office-reach.ts';
import { gatewayOf } from './system/gateways.ts';
import {
  hostedDataDir,
  type Keeping,
  type Moving,
  prepareKeeping,
  prepareMoving,
} from './keeping.ts';
import type { Keeper } from '../platform/keeping-messages.ts';
import { HIDDEN } from './system/login-item.ts';
import { createDiscovery, type Discovery } from './system/discovery.ts';
import { desktopFetchFile, desktopHttp } from './system/http.ts';
import { desktopOffices } from './system/office-tls.ts';
import { askAhead, createKeychain, keychainService } from './system/keychain.ts';
import { isOpenable, openExternally } from './system/links.ts';
import { createReach } from './system/reach.ts';
import { returnMemory } from '../platform/memory.ts';
import { createNotifications } from './system/notifications.ts';
import { findPageServer } from './system/page-server.ts';
import { declarePageScheme, servePage, warmPage } from './windows/page.ts';
import { openPlaces } from './windows/place-store.ts';
import { openPreferences, type PreferenceStore } from './storage/preference-store.ts';
import { quitCleanly } from './system/quit.ts';
import { createShell, type DesktopShell } from './windows/shell.ts';
import { desktopTakeouts } from './storage/takeouts.ts';
import { createSounds } from './system/sounds.ts';
import { restrictSession } from './system/trust.ts';
import { confirmLosing } from './storage/unarrived-uploads.ts';

/** A page that is not ready by then is not waited for any longer. */
const PAGE_LIMIT_MS = 2_000;

interface DesktopParts {
  readonly startHost: StartHost;
  readonly keeper: Keeper;
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
  const kept = createHostingStore(profileDir, log);
  const hosting = prepareHosting(parts, commandLine, { accounts, keys }, kept);
  const discovery = createDiscovery({ networks: ownNetworks, log });
  const office = prepareOffice(hosting, kept, discovery);
  const keeping = prepareKeeping(parts.keeper, hosting, keys);
  const preferences = await openPreferences(profileDir, log);
  const places = await openPlaces(profileDir, log);
  const page = { preloadFile: parts.preloadFile, openLink: openIfAllowed };
  const shell = createShell({ ...page, log, preferences, places, accounts, hosting, office });
  const { window } = shell;

  const notifications = createNotifications(({ accountId, conversation, messageId }) => {
    window.deliver('conversationOpened', { accountId, conversation, messageId });
  });
  const sounds = createSounds(log);
  const own = { accounts, keys, hosting, discovery };
  const client = openClient(own, shell, preferences, { ...notifications, playSound: sounds.play });
  const moving = prepareMoving({ ...parts, hosting, keys, office, rehouse: client.rehouse });
  const { startSessions, ...starts } = startCalls(client, accounts, hosting);
  joinWindow(shell, client);
  preferences.onChange(client.reconsider);
  serveBridge(
    {
      ...{ ...client, ...shell.calls, ...keeping.calls, ...moving.calls },
      ...{ ...starts, ...trackView(shell, client) },
    },
    window.isTrusted,
  );
  moving.begin(
    (status) => window.send('moveOutChanged', status),
    (status) => window.send('moveInChanged', status),
  );
  keeping.begin((status) => window.send('backupsChanged', status));
  endWith({ shell, client, hosting, office, discovery, keeping, moving }, () => {
    sounds.stop();
    notifications.closeAll();
  });
  preparePage(parts);
  listen(shell, links);
  if (startsHidden(commandLine)) await stayHidden(shell, client, startSessions);
  else showFirst(shell, client, startSessions);
}

interface Own extends Stores {
  readonly hosting: Hosting;
  readonly discovery: Discovery;
}

type Senses = Omit<ClientPorts['attention'], keyof ReturnType<typeof attentionOf>>;

function openClient(
  { accounts, keys, hosting, discovery }: Own,
  shell: DesktopShell,
  preferences: PreferenceStore,
  senses: Senses,
): Client {
  const profileDir = app.getPath('userData');
  const storage = createAccountStorage(profileDir);
  shell.window.onReleased(() => {
    storage.returnMemory();
    returnMemory();
  });
  return createClient({
    http: desktopHttp,
    fetchFile: desktopFetchFile,
    offices: desktopOffices,
    discovery,
    reach: createReach({
      about: `Hearth ${app.getVersion()} on ${process.platform} ${release()}`,
      networks: ownNetworks,
    }),
    storage,
    keys,
    accounts,
    clock: desktopClock,
    attention: { ...senses, ...attentionOf(shell) },
    decisions: createDecisionStore(profileDir, log),
    choices: preferences.current,
    openLink: openExternally,
    device: { name: hostname(), client: 'Hearth' },
    takeouts: desktopTakeouts,
    host: {
      start: async () => {
        await hosting.makeRoom();
        return hosting.start();
      },
    },
    hosting,
    describeShell: () => describe(accounts, hosting),
  });
}

interface Ending {
  readonly shell: DesktopShell;
  readonly client: Client;
  readonly hosting: Hosting;
  readonly office: OfficeReachControl;
  readonly discovery: Discovery;
  readonly keeping: Keeping;
  readonly moving: Moving;
}

function endWith(
  { shell, client, hosting, office, discovery, keeping, moving }: Ending,
  fallSilent: () => void,
): void {
  const mayLose = confirmLosing(client.countUnarrivedUploads);
  const mayQuit = async (): Promise<boolean> => (await mayLose()) && (await shell.mayEnd());
  quitCleanly(log, mayQuit, async () => {
    await shell.end();
    fallSilent();
    await client.stop();
    office.stop();
    await moving.end();
    await discovery.stop();
    await keeping.end();
    await hosting.stop();
  });
}

const attentionOf = ({
  window,
  setAttention,
}: DesktopShell): Pick<ClientPorts['attention'], 'isWindowFocused' | 'setBadge'> => ({
  isWindowFocused: window.isFocused,
  setBadge: setAttention,
});

function prepareHosting(
  parts: DesktopParts,
  commandLine: CommandLine,
  { accounts, keys }: Stores,
  kept: HostingStore,
): Hosting {
  return createHosting({
    ...parts,
    dataDir: hostedDataDir(),
    port: () => hostingPort(commandLine.port, kept, accounts),
    keepPort: kept.keepPort,
    keys,
    clock: desktopClock,
    log,
  });
}

function prepareOffice(
  hosting: Hosting,
  kept: HostingStore,
  discovery: Discovery,
): OfficeReachControl {
  const office = createOfficeReach({
    hosting,
    offices: desktopOffices,
    clock: desktopClock,
    readChoices: kept.others,
    keepChoices: kept.keepOthers,
    networks: ownNetworks,
    names: () => ownAddresses().names,
    gatewayOf,
    system:
      process.platform === 'darwin' ? 'macos' : process.platform === 'win32' ? 'windows' : 'linux',
  });
  announceOffice({
    office,
    discovery,
    nameOf: async () =>
      // It is told of by the computer on which it lives now.
      (await hosting.hasData())
        ? hostedName({ http: desktopHttp, clock: desktopClock, hosting })
        : null,
    names: () => ownAddresses().names,
  });
  office.begin();
  return office;
}

async function describe(accounts: DesktopAccountStore, hosting: Hosting): Promise<Shell> {
  const hosted = await hostedHere({ http: desktopHttp, clock: desktopClock, accounts, hosting });
  const canHost = hosted === null && !hasHosted(await accounts.list());
  return { shell: 'desktop', canHost, hosted, fixedAddress: null, isDevelopment: false };
}

function preparePage({ rendererDir }: DesktopParts): void {
  const pageServer = findPageServer(process.env, app.isPackaged);
  restrictSession(session.defaultSession, pageServer);
  servePage(session.defaultSession, { rendererDir, pageServer });
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
