/** What surrounds the sessions on a computer: window, tray, menu, badge, links, and the choices about them. */
import { join } from 'node:path';
import { app, dialog, nativeTheme, Notification, powerMonitor, session } from 'electron';
import type { ShellCalls } from '#shared/bridge/bridge.ts';
import type { Client } from '#client/client.ts';
import type { AccountStore } from '#client/ports.ts';
import type { CommandId } from '#shared/bridge/models/shell.ts';
import { failureAt, success } from '#shared/bridge/outcome.ts';
import type { Badge } from '#shared/policies/unread-counts.ts';
import { AUTHORITY_FILE } from '#node/tls/server-identity.ts';
import type { Log } from '#node/log.ts';
import { showBadge } from '../menus/badge.ts';
import { accountAt, accountOf, parseDeepLink } from '../system/deep-links.ts';
import { toggledQuiet, type QuietUntil } from '../menus/do-not-disturb.ts';
import { setGlobalShortcut } from '../menus/global-shortcut.ts';
import { hasHosted } from '../hosting/hosted-account.ts';
import type { Hosting } from '../hosting/hosting.ts';
import type { NetworkAccessControl } from '../hosting/network-access.ts';
import { saveAuthority } from '../hosting/save-certificate.ts';
import { notConfirmed } from '../system/confirm.ts';
import { setStartAtLogin } from '../system/login-item.ts';
import { createMenu } from '../menus/menu.ts';
import type { PageCalls } from './page-calls.ts';
import type { PlaceStore } from './place-store.ts';
import type { PreferenceStore } from '../storage/preference-store.ts';
import { applySpelling, prepareSpelling } from '../system/spelling.ts';
import { othersOnline } from '../hosting/others-online.ts';
import { confirmPasswordLink } from '../hosting/confirm-password-link.ts';
import { confirmStop } from '../hosting/confirm-stop.ts';
import { createTray, hasTrayHost } from '../menus/tray.ts';
import { noAttention, type HostingPhase } from '../menus/tray-menu.ts';
import { followUpdates } from '../system/updates.ts';
import type { MainWindow } from './window.ts';
import { zoomBy } from './zoom.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

/** A timer does not count sleep, nor does it follow a clock that is set: the hour is looked at again after this. */
const LOOK_MS = 60_000;
/** A session that never had an answer has no state; the question to the person does not wait for one. */
const STATE_LIMIT_MS = 1_000;

export interface ShellParts {
  readonly log: Log;
  readonly window: MainWindow;
  readonly preferences: PreferenceStore;
  readonly places: PlaceStore;
  readonly accounts: AccountStore;
  readonly hosting: Hosting;
  readonly networkAccess: NetworkAccessControl;
}

export interface DesktopShell {
  readonly window: MainWindow;
  readonly calls: Omit<ShellCalls, keyof PageCalls | 'reportActivity'>;
  readonly setAttention: (badge: Badge) => void;
  /** A `hearth://` link from anywhere; what is not one of ours, to the letter, is refused. */
  readonly openDeepLink: (link: string) => Promise<void>;
  /** Puts up tray and menu and follows the system; the client answers from now on. */
  readonly begin: (client: Pick<Client, 'wake' | 'state'>) => void;
  /** Whether the window can be had back where none is open. */
  readonly canBeHidden: () => Promise<boolean>;
  /** Asks the person where the end of the application cuts others off. */
  readonly mayEnd: () => Promise<boolean>;
  readonly end: () => Promise<void>;
}

export function createShell(parts: ShellParts): DesktopShell {
  const { preferences, places, window } = parts;
  const surroundings = new TrayMenuAndBadge(
    parts,
    window,
    (steps) => void zoomBy(preferences, steps),
  );
  followPreferences(parts, window);
  parts.hosting.onStatus((status) => window.send('hostingChanged', status));
  parts.networkAccess.onChange((reach) => window.send('networkAccessChanged', reach));
  return {
    window,
    calls: shellCalls(parts),
    setAttention: (badge) => surroundings.setAttention(badge),
    openDeepLink: (link) => openDeepLink(link, parts, window),
    begin: (client) => surroundings.begin(client),
    canBeHidden: () => hasTrayHost(),
    mayEnd: () => surroundings.mayEnd(),
    end: async () => {
      await window.end();
      surroundings.end();
      await Promise.all([places.flush(), preferences.settled()]);
    },
  };
}

function shellCalls(parts: ShellParts): DesktopShell['calls'] {
  const { preferences, hosting } = parts;
  return {
    ...networkCalls(parts),
    setPreferences: preferences.change,
    hosting: async () => success(hosting.status()),
    startHosting: async (port) => {
      const started = await hosting.start(port ?? undefined);
      if (started.ok) return success(hosting.status());
      const { code } = started.failure;
      return code === 'PORT_IN_USE' ? failureAt('port', started.failure) : started;
    },
    makePasswordLinkHere: async (email) => {
      if (!(await confirmPasswordLink(email))) return notConfirmed;
      const made = await hosting.makePasswordLink(email);
      if (made.ok || made.failure.code !== 'BAD_REQUEST') return made;
      return failureAt('email', made.failure);
    },
  };
}

type NetworkCalls = Pick<
  ShellCalls,
  | 'networkAccess'
  | 'openToNetwork'
  | 'allowNetwork'
  | 'checkAddresses'
  | 'saveAuthority'
  | 'webhookTargets'
>;

const networkCalls = ({ networkAccess, accounts, hosting }: ShellParts): NetworkCalls => ({
  webhookTargets: (change) => hosting.changeTargets(change),
  networkAccess: async () => success(await networkAccess.refresh()),
  openToNetwork: async (isOpen) => success(await networkAccess.setOpen(isOpen)),
  allowNetwork: async (networkId, isAgreed) =>
    success(await networkAccess.agree(networkId, isAgreed)),
  checkAddresses: async () => success(await networkAccess.check()),
  saveAuthority: async (accountId) => {
    const account = (await accounts.list()).find(({ id }) => id === accountId);
    return saveAuthority(account, join(app.getPath('userData'), 'service', AUTHORITY_FILE));
  },
});

async function openDeepLink(
  text: string,
  { accounts, hosting, log }: ShellParts,
  window: MainWindow,
): Promise<void> {
  const link = parseDeepLink(text);
  if (link === undefined) {
    // Not written down: it may be anything.
    log.warn('a link of the application was refused', { length: text.length });
    return;
  }
  if (link.kind === 'open') {
    window.open();
    return;
  }
  if (link.kind === 'join') {
    window.deliver('invitationOpened', link.link);
    return;
  }
  const { fragment } = link;
  const all = await accounts.list();
  const account =
    link.kind === 'office'
      ? accountOf(all, link.pin, hosting.running()?.fingerprint)
      : accountAt(all, link.address);
  // Where an office is that nobody here knows, its key does not say.
  const address = link.kind === 'office' ? '' : link.address;
  if (account === undefined) window.deliver('connectSuggested', { address, fragment });
  else window.deliver('linkOpened', { accountId: account.id, fragment });
}

function followPreferences({ preferences }: ShellParts, window: MainWindow): void {
  const { globalShortcut, startAtLogin } = preferences.current();
  prepareSpelling(session.defaultSession, process.env);
  const spell = (): void =>
    applySpelling(session.defaultSession, preferences.current(), app.getPreferredSystemLanguages());
  spell();
  setGlobalShortcut(globalShortcut, null, window.toggle);
  // The application may have moved since.
  if (startAtLogin) void setStartAtLogin(true);
  preferences.addEffect(async (next, old) =>
    next.startAtLogin === old.startAtLogin ? success(null) : setStartAtLogin(next.startAtLogin),
  );
  preferences.addEffect(async (next, old) =>
    next.globalShortcut === old.globalShortcut
      ? success(null)
      : setGlobalShortcut(next.globalShortcut, old.globalShortcut, window.toggle),
  );
  preferences.onChange((next) => {
    nativeTheme.themeSource = next.theme;
    spell();
    window.native()?.webContents.setZoomLevel(next.zoomLevel);
    window.send('preferencesChanged', next);
  });
}

/** Tray, menu and badge, which show the same facts. */
class TrayMenuAndBadge {
  readonly #parts: ShellParts;
  readonly #window: MainWindow;
  readonly #showMenu: ReturnType<typeof createMenu>;
  #tray: ReturnType<typeof createTray> | undefined;
  #client: Pick<Client, 'wake' | 'state'> | undefined;
  #attention = noAttention;
  #hosting: HostingPhase = 'off';
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(parts: ShellParts, window: MainWindow, zoom: (steps: -1 | 0 | 1) => void) {
    this.#parts = parts;
    this.#window = window;
    this.#showMenu = createMenu({
      run: (command) => this.#run(command),
      zoom,
      setQuiet: this.#setQuiet,
      toggleQuiet: () =>
        void parts.preferences.changeBy(({ doNotDisturbUntilSeconds: until }) => ({
          doNotDisturbUntilSeconds: toggledQuiet(until, new Date()),
        })),
      toggleFullScreen: () => {
        const open = window.native();
        open?.setFullScreen(!open.isFullScreen());
      },
      quit: () => app.quit(),
    });
  }

  get #quietUntil(): QuietUntil {
    return this.#parts.preferences.current().doNotDisturbUntilSeconds;
  }

  begin(client: Pick<Client, 'wake' | 'state'>): void {
    // Who quits during the start does not get a tray any more.
    if (this.#isEnded) return;
    const { hosting, preferences } = this.#parts;
    this.#client = client;
    this.#tray = createTray({
      open: this.#window.open,
      setQuiet: this.#setQuiet,
      stopHosting: () => void this.#stopHosting(),
      startHosting: () => void this.#startHosting(),
      openSettings: () => this.#run('settings'),
      quit: () => app.quit(),
    });
    // Windows keeps the mark with the window, and a new one has none.
    this.#window.onFocus(() => showBadge(this.#attention, this.#window.native()));
    hosting.onStatus(() => void this.#lookAtHosting());
    preferences.onChange((next, old) => {
      const isShown =
        next.doNotDisturbUntilSeconds === old.doNotDisturbUntilSeconds && next.keys === old.keys;
      if (!isShown) this.#show();
    });
    powerMonitor.on('resume', client.wake);
    powerMonitor.on('unlock-screen', client.wake);
    powerMonitor.on('suspend', () => void this.#parts.places.flush());
    followUpdates({
      log: this.#parts.log,
      env: process.env,
      resourcesDir: process.resourcesPath,
      isPackaged: app.isPackaged,
      onReady: tellOfUpdate,
    });
    void this.#lookAtHosting();
    this.#show();
  }

  setAttention(attention: Badge): void {
    this.#attention = attention;
    this.#show();
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#tray?.remove();
    this.#tray = undefined;
  }

  #run(command: CommandId): void {
    this.#window.deliver('commandRun', { command });
  }

  readonly #setQuiet = (doNotDisturbUntilSeconds: QuietUntil): void => {
    void this.#parts.preferences.change({ doNotDisturbUntilSeconds });
  };

  #show(): void {
    const quietUntil = this.#quietUntil;
    this.#showMenu(quietUntil, this.#parts.preferences.current().keys);
    this.#tray?.show({ attention: this.#attention, quietUntil, hosting: this.#hosting });
    showBadge(this.#attention, this.#window.native());
    clearTimeout(this.#timer);
    const leftMs = quietUntil === null ? 0 : quietUntil * 1000 - Date.now();
    if (leftMs <= 0) return;
    this.#timer = setTimeout(() => this.#show(), Math.min(leftMs + 1000, LOOK_MS));
  }

  async #lookAtHosting(): Promise<void> {
    const { hosting, accounts } = this.#parts;
    const isHere = hasHosted(await accounts.list()) || (await hosting.hasData());
    this.#hosting = isHere ? hosting.status().phase : 'off';
    this.#show();
  }

  async #startHosting(): Promise<void> {
    const started = await this.#parts.hosting.start();
    if (started.ok) return;
    dialog.showErrorBox(desktopWords('hosting_not_started').message, started.failure.message);
  }

  async #stopHosting(): Promise<void> {
    if (await confirmStop(await this.#othersOnline(), 'stop')) await this.#parts.hosting.stop();
  }

  async mayEnd(): Promise<boolean> {
    if (this.#hosting !== 'running') return true;
    return confirmStop(await this.#othersOnline(), 'quit');
  }

  /** Undefined where nobody is signed in here who could know. */
  async #othersOnline(): Promise<number | undefined> {
    const hosted = (await this.#parts.accounts.list()).find(({ isHosted }) => isHosted);
    if (hosted === undefined) return undefined;
    const unknown = new Promise<undefined>((resolve) => setTimeout(resolve, STATE_LIMIT_MS));
    const state = await Promise.race([this.#client?.state(hosted.id), unknown]);
    return state?.ok === true ? othersOnline(state.value, Date.now() / 1000) : undefined;
  }
}

function tellOfUpdate(version: string): void {
  if (!Notification.isSupported()) return;
  new Notification({
    title: `Hearth ${version} is ready`,
    body: 'It is installed when you quit Hearth.',
    silent: true,
  }).show();
}
