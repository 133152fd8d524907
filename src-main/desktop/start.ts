/**
 * The desktop application up to its first window: what that needs and nothing else. All the rest (`app.ts`) is loaded while
 * the process of the page starts, or behind the first screen where that was kept.
 */
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { app, dialog, Menu, nativeTheme, session } from 'electron';
import { success } from '#shared/bridge/outcome.ts';
import type { KeyStore } from '#client/ports.ts';
import { stderrLog as log } from '#node/log.ts';
import { print } from '#node/terminal.ts';
import { createAccountStore, type DesktopAccountStore } from './storage/account-store.ts';
import { findProfileProblem } from './storage/profile-folder.ts';
import { openPreferences, type PreferenceStore } from './storage/preference-store.ts';
import { parseCommandLine, type CommandLine } from './system/command-line.ts';
import { linkAmong, LINK_SCHEME } from './system/deep-links.ts';
import { prefetchSecret, createKeychain, keychainService } from './system/keychain.ts';
import { isOpenable, openExternally } from './system/external-links.ts';
import { HIDDEN } from './system/login-item.ts';
import { findPageServer } from './system/page-server.ts';
import { quitCleanly } from './system/quit.ts';
import { restrictSession } from './system/trust.ts';
import { type HeldFileTaker, serveHeldFiles } from './windows/held-file-calls.ts';
import { serveBridge, serveFirstAnswers, type LateCalls } from './windows/bridge.ts';
import { closeWay, explainTray } from './windows/closing.ts';
import {
  createFirstAnswerStore,
  type FirstAnswers,
  type FirstAnswerStore,
} from './windows/first-answers.ts';
import { createPageCalls } from './windows/page-calls.ts';
import { declarePageScheme, servePage } from './windows/page-protocol.ts';
import { openPlaces, type PlaceStore } from './windows/place-store.ts';
import { createMainWindow, type MainWindow } from './windows/window.ts';
import { zoomBy } from './windows/zoom.ts';
import { systemWords } from '#shared/i18n/system-words.ts';

export interface StartParts {
  readonly preloadFile: string;
  readonly rendererDir: string;
}

/** The accounts and their keys. */
export interface Stores {
  readonly accounts: DesktopAccountStore;
  readonly keys: KeyStore;
}

/** The page paints what it was answered first within this time of being shown, and the rest is loaded after that. */
const PAINT_MS = 150;
/** The page shows in this time what was clicked: while the rest is loaded, this process passes nothing on to it. */
const ANSWER_MS = 30;
/** A page that is not shown by then is not waited for any longer. */
const PAGE_LIMIT_MS = 2_000;

/** What is there before the rest is loaded. */
export interface Started extends Stores {
  readonly commandLine: CommandLine;
  readonly preferences: PreferenceStore;
  readonly places: PlaceStore;
  readonly window: MainWindow;
  /** Settles when a page has its scripts. */
  readonly pageServed: Promise<void>;
  /** What the page was answered meanwhile. */
  readonly first: FirstAnswers | undefined;
  /** For the next start. */
  readonly firstAnswerStore: FirstAnswerStore;
}

/** What the rest answers. */
export interface Running {
  /** Settles when tray and menu are there and the accounts are being opened. */
  readonly begun: Promise<void>;
  readonly calls: LateCalls;
  readonly heldFiles: HeldFileTaker;
  /** A `hearth://` link from anywhere. */
  readonly openDeepLink: (link: string) => Promise<void>;
  /** Asks the person where something would be lost or others be cut off. */
  readonly mayQuit: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

/** Loads the rest and runs it. */
export type RunRest = (started: Started, isHidden: boolean) => Promise<Running>;

/** Runs the desktop application; a second one on the same profile brings the first one's window to the front. */
export function startDesktop(parts: StartParts, runRest: RunRest): void {
  let commandLine: CommandLine;
  try {
    commandLine = parseCommandLine(process.argv.slice(1));
  } catch (error) {
    print('stderr', (error as Error).message);
    app.exit(2);
    return;
  }
  // The lock lies there as well: without it, this would end as if another one ran.
  const problem = findProfileProblem(wantedProfile());
  if (problem !== undefined) {
    refuse(problem, startsHidden(commandLine));
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
  const kept = openKept(commandLine, parts.rendererDir);
  app
    .whenReady()
    .then(async () => open(parts, runRest, links, await kept))
    .catch(giveUp);
}

/** Electron takes another folder without a word where it cannot make the one that was named. */
function wantedProfile(): string {
  const named = app.commandLine.getSwitchValue('user-data-dir');
  if (named !== '') return resolve(named);
  try {
    return app.getPath('userData');
  } catch {
    return join(app.getPath('appData'), app.getName());
  }
}

/** Whoever clicked an icon sees no terminal. Where the system starts it nobody may be there to close a dialog. */
function refuse(problem: string, isHidden: boolean): void {
  print('stderr', problem);
  if (isHidden) {
    app.exit(1);
    return;
  }
  app
    .whenReady()
    .then(() => {
      dialog.showErrorBox(systemWords('open_failed').message, problem);
      app.exit(1);
    })
    .catch(giveUp);
}

function giveUp(error: unknown): void {
  log.error('the application could not open', { error });
  dialog.showErrorBox(systemWords('open_failed').message, String(error));
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

type StoredData = Omit<Started, 'window' | 'pageServed'>;

/** Read while Chromium gets ready; the keychain can answer already too. */
async function openKept(commandLine: CommandLine, rendererDir: string): Promise<StoredData> {
  const profileDir = app.getPath('userData');
  const firstAnswerStore = createFirstAnswerStore({
    version: app.getVersion(),
    profileDir,
    rendererDir,
    log,
  });
  const first = firstAnswerStore.take();
  const [stores, preferences, places] = await Promise.all([
    openStores(profileDir, first === undefined),
    openPreferences(profileDir, log, firstAnswerStore.checked),
    openPlaces(profileDir, log, firstAnswerStore.checked),
  ]);
  return { commandLine, ...stores, preferences, places, first, firstAnswerStore };
}

/** @param isAwaited  the page waits for the accounts: the keychain is asked for their keys at once */
async function openStores(profileDir: string, isAwaited: boolean): Promise<Stores> {
  const defaultDir = join(app.getPath('appData'), app.getName());
  const keys = createKeychain(keychainService(profileDir, defaultDir));
  const accounts = createAccountStore(profileDir, log);
  if (!isAwaited) return { accounts, keys };
  // Who opens the accounts hears why their list cannot be read.
  const list = await accounts.list().catch(() => []);
  return {
    accounts,
    keys: prefetchSecret(
      keys,
      list.map(({ id }) => id),
    ),
  };
}

function open(parts: StartParts, runRest: RunRest, links: Links, kept: StoredData): void {
  const { preferences, places } = kept;
  nativeTheme.themeSource = preferences.current().theme;
  const pageServed = preparePage(parts);
  const isHidden = startsHidden(kept.commandLine);
  const first = isHidden ? undefined : kept.first;
  const window = createWindow(parts, { ...kept, first });
  const rest = createRest(() => runRest({ ...kept, first, window, pageServed }, isHidden));
  const late = rest.running.then(({ calls }) => calls);
  serveBridge({
    isTrusted: window.isTrusted,
    own: createPageCalls(preferences, places, window),
    late,
    hurry: () => void pause(ANSWER_MS).then(rest.begin),
  });
  serveHeldFiles({
    isTrusted: window.isTrusted,
    files: rest.running.then(({ heldFiles }) => heldFiles),
  });
  serveFirstAnswers({
    isOfWindow: window.isOfWindow,
    own: () => [
      { name: 'preferences', args: [], answer: success(preferences.current()) },
      { name: 'savedPlace', args: [], answer: success(places.place()) },
    ],
    first,
    late,
    tellOver: window.tellLoaded,
  });
  quitCleanly(
    log,
    async () => (await rest.begin()).mayQuit(),
    async () => (await rest.begin()).stop(),
  );
  // Electron would stop everything with a question in its place, the end of the application too.
  process.on('uncaughtException', (error) => log.error('nothing caught this error', { error }));
  listen(window, links, async (link) => (await rest.begin()).openDeepLink(link));
  if (!isHidden) window.open();
  if (first === undefined) {
    void rest.begin();
    return;
  }
  // While its process starts, this one has nothing else to do.
  first();
  void beginBehind(window, rest);
}

interface LateParts {
  /** Settles when it runs. */
  readonly running: Promise<Running>;
  /** Loads it if nobody has yet. */
  readonly begin: () => Promise<Running>;
}

function createRest(load: () => Promise<Running>): LateParts {
  const { promise: running, resolve } = Promise.withResolvers<Running>();
  running.then(({ begun }) => begun).catch(giveUp);
  let isBegun = false;
  return {
    running,
    begin: () => {
      if (!isBegun) resolve(load());
      isBegun = true;
      return running;
    },
  };
}

/** Behind a page that paints by what it was answered first. */
async function beginBehind({ firstShown }: MainWindow, { begin }: LateParts): Promise<void> {
  await Promise.race([firstShown, pause(PAGE_LIMIT_MS)]);
  await pause(PAINT_MS);
  void begin();
}

function createWindow(
  { preloadFile }: StartParts,
  { preferences, places, first }: Pick<Started, 'preferences' | 'places' | 'first'>,
): MainWindow {
  return createMainWindow({
    preloadFile,
    log,
    openLink: openIfAllowed,
    preferences: preferences.current,
    savedState: places.window(),
    saveState: places.saveWindow,
    isDrawnAtOnce: first !== undefined,
    closeWay: () => closeWay(preferences.current().closeToTray),
    onHidden: () => explainTray(preferences, log),
    onZoom: (direction) => void zoomBy(preferences, direction === 'in' ? 1 : -1),
  });
}

function preparePage({ rendererDir }: StartParts): Promise<void> {
  const pageServer = findPageServer(process.env, app.isPackaged);
  restrictSession(session.defaultSession, pageServer);
  return servePage(session.defaultSession, { rendererDir, pageServer });
}

function openIfAllowed(url: string): void {
  if (!isOpenable(url)) return;
  openExternally(url).catch((error: unknown) => {
    log.warn('a link could not be opened', { error });
  });
}

/** What others ask of the application: a second start, a link, a click in the dock. */
function listen(
  window: MainWindow,
  links: Links,
  openDeepLink: (link: string) => Promise<void>,
): void {
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
