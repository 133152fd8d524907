import { hostname, release } from 'node:os';
import { app } from 'electron';
import { eventNames, type BridgeCalls } from '#preload/bridge.ts';
import type { Client } from '#client/client.ts';
import { createClient } from '#client/client.ts';
import type { ClientPorts } from '#client/ports.ts';
import type { Shell } from '#shared/bridge/bridge.ts';
import { success } from '#shared/bridge/outcome.ts';
import { stderrLog as log } from '#node/log.ts';
import { ownAddresses, ownNetworks } from '#node/network/own-addresses.ts';
import { createAccountStorage } from './storage/account-storage.ts';
import type { DesktopAccountStore } from './storage/account-store.ts';
import { desktopClock } from './system/clock.ts';
import {
  hasHosted,
  hostedHere,
  hostedName,
  hostingPort,
  startCalls,
} from './hosting/hosted-account.ts';
import { createHostingStore, type HostingStore } from './storage/hosting-store.ts';
import { createDecisionStore } from './storage/notification-log-store.ts';
import { createHosting, type Hosting, type StartHost } from './hosting/hosting.ts';
import { announceOffice } from './hosting/announce.ts';
import { createOfficeReach, type OfficeReachControl } from './hosting/network-access.ts';
import { stayAwake, type StayingAwakeParts } from './hosting/prevent-sleep.ts';
import { type SleepParts, tellOfSleep } from './hosting/announce-sleep.ts';
import { gatewayOf } from './system/gateways.ts';
import {
  hostedDataDir,
  type Keeping,
  type Moving,
  prepareKeeping,
  prepareMoving,
} from './backup.ts';
import type { Keeper } from '#node/threads/backup-messages.ts';
import { createDiscovery, type Discovery } from './system/discovery.ts';
import { desktopFetchFile, desktopHttp } from './system/http.ts';
import { desktopOffices } from './system/pinned-tls.ts';
import { openExternally } from './system/external-links.ts';
import { createReach } from './system/connection-probe.ts';
import { tellDifferences, type FirstCalls, type LastShown } from './windows/first-answers.ts';
import { returnMemory } from '#node/threads/memory.ts';
import { createNotifications } from './system/notifications.ts';
import { followSomebody, type Somebody } from './system/user-activity.ts';
import type { PreferenceStore } from './storage/preference-store.ts';
import type { Running, Started, Stores } from './start.ts';
import { createShell, type DesktopShell } from './windows/shell.ts';
import { desktopTakeouts } from './storage/export-dialog.ts';
import { systemPower } from './system/power.ts';
import { createSounds } from './system/sounds.ts';
import { confirmLosing } from './storage/confirm-pending-uploads.ts';

/** A page that is not ready by then is not waited for any longer. */
const PAGE_LIMIT_MS = 2_000;
/** What the next start would gain is not worth more than this to who quits. */
const KEEP_LIMIT_MS = 300;
/** A page paints and answers its first click in this time, and nobody is at the tray sooner. */
const SETTLE_MS = 300;

export interface AppParts {
  readonly startHost: StartHost;
  readonly keeper: Keeper;
  readonly workerFile: string;
  readonly rendererDir: string;
}

/** Everything behind the window, which is opened already unless the application starts hidden. */
export function runApp(parts: AppParts, started: Started, isHidden: boolean): Running {
  const { accounts, keys, preferences, places, window } = started;
  const kept = createHostingStore(app.getPath('userData'), log);
  const hosting = prepareHosting(parts, started, kept);
  const discovery = createDiscovery({ networks: ownNetworks, log });
  const office = prepareOffice(hosting, kept, discovery);
  const keeping = prepareKeeping(parts.keeper, hosting, keys);
  const shell = createShell({ log, window, preferences, places, accounts, hosting, office });

  const notifications = createNotifications(({ accountId, conversation, messageId }) => {
    window.deliver('conversationOpened', { accountId, conversation, messageId });
  });
  const sounds = createSounds(log);
  const own = { accounts, keys, hosting, discovery };
  const somebody = followSomebody((hereSinceMs) => {
    window.send('attendanceChanged', { hereSinceMs });
    if (hereSinceMs !== null) client.attend();
  });
  const client = openClient(own, shell, preferences, {
    ...notifications,
    playSound: sounds.play,
    hereSinceMs: () => somebody.hereSinceMs,
  });
  const moving = prepareMoving({ ...parts, hosting, keys, office, rehouse: client.rehouse });
  const endSleep = followSleep({ hosting, office, preferences, client, discovery });
  const { startSessions, ...starts } = startCalls(client, accounts, hosting);
  joinWindow(shell, client, somebody);
  preferences.onChange(client.reconsider);
  moving.begin(
    (status) => window.send('moveOutChanged', status),
    (status) => window.send('moveInChanged', status),
  );
  keeping.begin((status) => window.send('backupsChanged', status));
  let isEnding = false;
  const { showView, lastShown } = trackView(shell, client);
  const firstCalls: FirstCalls = { ...client, ...shell.calls };
  // What is to be said of the accounts is said to the window.
  const firstScreen = followFirstScreen(started, firstCalls, { ...firstCalls, ...starts });
  /** Who quits before the page is there opens no account, and starts no service, behind that. */
  const openAccounts = async (): Promise<void> => {
    if (!isEnding) await firstScreen.open(startSessions);
  };
  return {
    begun: isHidden
      ? stayHidden(shell, client, openAccounts)
      : followWindow(started, shell, client, openAccounts),
    calls: {
      ...{ ...client, ...shell.calls, ...keeping.calls, ...moving.calls },
      ...{ ...starts, showView, touched: touchedBy(somebody) },
    },
    openDeepLink: shell.openDeepLink,
    ...ending({ shell, client, hosting, office, discovery, keeping, moving }, async () => {
      isEnding = true;
      somebody.stop();
      endSleep();
      sounds.stop();
      notifications.closeAll();
      await firstScreen.keep(lastShown()).catch((error: unknown) => {
        log.warn('what the window shows could not be kept for the next start', { error });
      });
    }),
  };
}

interface Sleepless
  extends Pick<StayingAwakeParts, 'office' | 'preferences'>, Pick<SleepParts, 'hosting'> {
  readonly client: Pick<Client, 'wake'>;
  readonly discovery: Pick<Discovery, 'repeat'>;
}

/** @returns what ends it */
function followSleep({ hosting, client, discovery, ...parts }: Sleepless): () => void {
  const power = systemPower;
  const woken = (): void => {
    client.wake();
    discovery.repeat();
  };
  const ends = [
    stayAwake({ ...parts, power }),
    tellOfSleep({ hosting, power, clock: desktopClock, woken }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

interface FirstScreen {
  /** Opens the accounts, and tells the page what has become of what it was shown before that. */
  readonly open: (startSessions: () => Promise<void>) => Promise<void>;
  /** For the next start. */
  readonly keep: (shown: LastShown | undefined) => Promise<void>;
}

function followFirstScreen(
  { first, firstAnswerStore: store, window }: Started,
  calls: FirstCalls,
  tellingCalls: FirstCalls,
): FirstScreen {
  let opening: Promise<void> | undefined;
  return {
    open: async (startSessions) => {
      opening = startSessions();
      await opening;
      if (first !== undefined) await tellDifferences(first, tellingCalls, window);
      store.forget();
    },
    keep: async (shown) => {
      if (opening === undefined) await store.putBack();
      else
        await within(
          KEEP_LIMIT_MS,
          opening.then(() => store.keep(calls, shown)),
        );
    },
  };
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

function ending(
  { shell, client, hosting, office, discovery, keeping, moving }: Ending,
  fallSilent: () => Promise<void>,
): Pick<Running, 'mayQuit' | 'stop'> {
  const mayLose = confirmLosing(client.countUnarrivedUploads);
  return {
    mayQuit: async () => (await mayLose()) && (await shell.mayEnd()),
    stop: async () => {
      await shell.end();
      await fallSilent();
      await client.stop();
      office.stop();
      await moving.end();
      await discovery.stop();
      await keeping.end();
      await hosting.stop();
    },
  };
}

const attentionOf = ({
  window,
  setAttention,
}: DesktopShell): Pick<ClientPorts['attention'], 'isWindowFocused' | 'setBadge'> => ({
  isWindowFocused: window.isFocused,
  setBadge: setAttention,
});

function prepareHosting(
  parts: AppParts,
  { accounts, keys, commandLine }: Started,
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

/** What the window is told, and what sessions are told of the window. */
function joinWindow({ window }: DesktopShell, client: Client, somebody: Somebody): void {
  for (const event of eventNames) client.on(event, (payload) => window.send(event, payload));
  window.onFocus(client.attend);
  window.onPageReady(() => {
    const { hereSinceMs } = somebody;
    window.send('attendanceChanged', { hereSinceMs });
  });
}

const touchedBy =
  ({ arrive }: Somebody): BridgeCalls['touched'] =>
  async () => {
    arrive();
    return success(null);
  };

interface ViewTrack extends Pick<BridgeCalls, 'showView'> {
  /** By any page, also one that is gone. */
  readonly lastShown: () => LastShown | undefined;
}

/** A page that is gone shows nothing: what arrives then is not seen by anybody. */
function trackView({ window }: DesktopShell, client: Client): ViewTrack {
  const shown = new Set<string>();
  let last: LastShown | undefined;
  window.onPageGone(() => {
    for (const accountId of shown) void client.showView(accountId, null);
    shown.clear();
  });
  return {
    lastShown: () => last,
    showView: (accountId, view) => {
      last = { accountId, view };
      if (view === null) shown.delete(accountId);
      else shown.add(accountId);
      return client.showView(accountId, view);
    },
  };
}

/** In the order in which it is missed: the page, what it shows, then tray and menu, which take this process 20 ms. */
async function followWindow(
  { window, pageServed }: Started,
  shell: DesktopShell,
  client: Client,
  startSessions: () => Promise<void>,
): Promise<void> {
  await within(PAGE_LIMIT_MS, pageServed);
  startSessions().catch((error: unknown) => {
    log.error('the accounts could not be opened ahead of the page', { error });
  });
  await within(PAGE_LIMIT_MS, window.firstReady);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  shell.begin(client);
}

/** Settles with the event, or without it after so long. */
const within = (limitMs: number, event: Promise<void>): Promise<void> =>
  Promise.race([event, new Promise<void>((resolve) => setTimeout(resolve, limitMs))]);

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
