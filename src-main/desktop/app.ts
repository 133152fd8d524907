import { hostname, release } from 'node:os';
import { app } from 'electron';
import { eventNames, type BridgeCalls } from '#preload/bridge.ts';
import type { Client } from '#client/client.ts';
import { createClient } from '#client/client.ts';
import type { ClientPorts, HeldFiles } from '#client/ports.ts';
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
import { createHeldFiles } from './storage/held-files.ts';
import { createHostingStore, type HostingStore } from './storage/hosting-store.ts';
import { createNotificationLogStore } from './storage/notification-log-store.ts';
import { createHosting, type Hosting, type StartHost } from './hosting/hosting.ts';
import { announceOrganization } from './hosting/announce.ts';
import { createNetworkAccess, type NetworkAccessControl } from './hosting/network-access.ts';
import { stayAwake, type StayingAwakeParts } from './hosting/prevent-sleep.ts';
import { type SleepNoticeParts, announceSleep } from './hosting/announce-sleep.ts';
import { gatewayOf } from './system/gateways.ts';
import {
  hostedDataDir,
  type BackupFeatures,
  type MigrationFeatures,
  prepareBackups,
  prepareMigration,
} from './backup.ts';
import type { BackupThread } from '#node/threads/backup-messages.ts';
import { createDiscovery, type Discovery } from './system/discovery.ts';
import { desktopFetchFile, desktopHttp } from './system/http.ts';
import { desktopServerIdentity } from './system/pinned-tls.ts';
import { openExternally } from './system/external-links.ts';
import { createConnectionProbe } from './system/connection-probe.ts';
import { followFirstScreen, followWindow, stayHidden } from './first-screen.ts';
import type { FirstCalls, LastShown } from './windows/first-answers.ts';
import { returnMemory } from '#node/threads/memory.ts';
import { createNotifications } from './system/notifications.ts';
import { watchUserActivity, type UserActivity } from './system/user-activity.ts';
import type { PreferenceStore } from './storage/preference-store.ts';
import type { Running, Started, Stores } from './start.ts';
import { createShell, type DesktopShell } from './windows/shell.ts';
import { desktopSaving } from './storage/save-dialog.ts';
import { desktopExportFolders } from './storage/export-dialog.ts';
import { systemPower } from './system/power.ts';
import { createSounds } from './system/sounds.ts';
import { confirmUnfinishedUploads } from './storage/confirm-pending-uploads.ts';

export interface AppParts {
  readonly startHost: StartHost;
  readonly backupThread: BackupThread;
  readonly workerFile: string;
  readonly rendererDir: string;
}

/** Everything behind the window, which is opened already unless the application starts hidden. */
export function runApp(parts: AppParts, started: Started, isHidden: boolean): Running {
  const { accounts, keys, preferences, places, window } = started;
  const kept = createHostingStore(app.getPath('userData'), log);
  const hosting = prepareHosting(parts, started, kept);
  const discovery = createDiscovery({ networks: ownNetworks, log });
  const networkAccess = prepareNetworkAccess(hosting, kept, discovery);
  const backups = prepareBackups(parts.backupThread, hosting, keys);
  const shell = createShell({ log, window, preferences, places, accounts, hosting, networkAccess });

  const notifications = createNotifications(({ accountId, conversation, messageId }) => {
    window.deliver('conversationOpened', { accountId, conversation, messageId });
  });
  const sounds = createSounds(log);
  const own = { accounts, keys, hosting, discovery };
  const userActivity = watchUserActivity((activeSinceMs) => {
    window.send('activityChanged', { activeSinceMs });
    if (activeSinceMs !== null) client.setActive();
  });
  const heldFiles = createHeldFiles(app.getPath('userData'));
  const client = openClient({ ...own, heldFiles }, shell, preferences, {
    ...notifications,
    playSound: sounds.play,
    activeSinceMs: () => userActivity.activeSinceMs,
  });
  const migration = prepareMigration({
    ...parts,
    hosting,
    keys,
    networkAccess,
    reassignHost: client.reassignHost,
  });
  const endSleep = followSleep({ hosting, networkAccess, preferences, client, discovery });
  const { startSessions, ...starts } = startCalls(client, accounts, hosting);
  joinWindow(shell, client, userActivity);
  preferences.onChange(client.reconsider);
  migration.begin(
    (status) => window.send('migrationSourceChanged', status),
    (status) => window.send('migrationTargetChanged', status),
  );
  backups.begin((status) => window.send('backupsChanged', status));
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
      ...client,
      ...shell.calls,
      ...backups.calls,
      ...migration.calls,
      ...starts,
      showView,
      reportActivity: touchedBy(userActivity),
    },
    heldFiles,
    openDeepLink: shell.openDeepLink,
    ...ending(
      { shell, client, hosting, networkAccess, discovery, backups, migration },
      async () => {
        isEnding = true;
        userActivity.stop();
        endSleep();
        sounds.stop();
        notifications.closeAll();
        await firstScreen.keep(lastShown()).catch((error: unknown) => {
          log.warn('what the window shows could not be kept for the next start', { error });
        });
      },
    ),
  };
}

interface WakeLock
  extends
    Pick<StayingAwakeParts, 'networkAccess' | 'preferences'>,
    Pick<SleepNoticeParts, 'hosting'> {
  readonly client: Pick<Client, 'wake'>;
  readonly discovery: Pick<Discovery, 'repeat'>;
}

/** @returns what ends it */
function followSleep({ hosting, client, discovery, ...parts }: WakeLock): () => void {
  const power = systemPower;
  const woken = (): void => {
    client.wake();
    discovery.repeat();
  };
  const ends = [
    stayAwake({ ...parts, power }),
    announceSleep({ hosting, power, clock: desktopClock, woken }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

interface OwnOrganization extends Stores {
  readonly hosting: Hosting;
  readonly discovery: Discovery;
  readonly heldFiles: HeldFiles;
}

type SystemSignals = Omit<ClientPorts['attention'], keyof ReturnType<typeof attentionOf>>;

function openClient(
  { accounts, keys, hosting, discovery, heldFiles }: OwnOrganization,
  shell: DesktopShell,
  preferences: PreferenceStore,
  senses: SystemSignals,
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
    serverIdentity: desktopServerIdentity,
    discovery,
    connectionProbe: createConnectionProbe({
      about: `Hearth ${app.getVersion()} on ${process.platform} ${release()}`,
      networks: ownNetworks,
    }),
    storage,
    keys,
    accounts,
    clock: desktopClock,
    attention: { ...senses, ...attentionOf(shell) },
    notificationLog: createNotificationLogStore(profileDir, log),
    choices: preferences.current,
    openLink: openExternally,
    device: { name: hostname(), client: 'Hearth' },
    heldFiles,
    saving: desktopSaving,
    exportFolders: desktopExportFolders,
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

interface QuitParts {
  readonly shell: DesktopShell;
  readonly client: Client;
  readonly hosting: Hosting;
  readonly networkAccess: NetworkAccessControl;
  readonly discovery: Discovery;
  readonly backups: BackupFeatures;
  readonly migration: MigrationFeatures;
}

function ending(
  { shell, client, hosting, networkAccess, discovery, backups, migration }: QuitParts,
  fallSilent: () => Promise<void>,
): Pick<Running, 'mayQuit' | 'stop'> {
  const mayLose = confirmUnfinishedUploads(client.countUnfinishedUploads);
  return {
    mayQuit: async () => (await mayLose()) && (await shell.mayEnd()),
    stop: async () => {
      await shell.end();
      await fallSilent();
      await client.stop();
      networkAccess.stop();
      await migration.end();
      await discovery.stop();
      await backups.end();
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
    savePort: kept.savePort,
    keys,
    clock: desktopClock,
    log,
  });
}

function prepareNetworkAccess(
  hosting: Hosting,
  kept: HostingStore,
  discovery: Discovery,
): NetworkAccessControl {
  const networkAccess = createNetworkAccess({
    hosting,
    offices: desktopServerIdentity,
    clock: desktopClock,
    readChoices: kept.others,
    saveChoices: kept.saveOthers,
    networks: ownNetworks,
    names: () => ownAddresses().names,
    gatewayOf,
    system:
      process.platform === 'darwin' ? 'macos' : process.platform === 'win32' ? 'windows' : 'linux',
  });
  announceOrganization({
    networkAccess,
    discovery,
    nameOf: async () =>
      // It is told of by the computer on which it lives now.
      (await hosting.hasData())
        ? hostedName({ http: desktopHttp, clock: desktopClock, hosting })
        : null,
    names: () => ownAddresses().names,
  });
  networkAccess.begin();
  return networkAccess;
}

async function describe(accounts: DesktopAccountStore, hosting: Hosting): Promise<Shell> {
  const hosted = await hostedHere({ http: desktopHttp, clock: desktopClock, accounts, hosting });
  const canHost = hosted === null && !hasHosted(await accounts.list());
  return { shell: 'desktop', canHost, hosted, fixedAddress: null, isDevelopment: false };
}

/** What the window is told, and what sessions are told of the window. */
function joinWindow({ window }: DesktopShell, client: Client, userActivity: UserActivity): void {
  for (const event of eventNames) client.on(event, (payload) => window.send(event, payload));
  window.onFocus(client.setActive);
  window.onPageReady(() => {
    const { activeSinceMs } = userActivity;
    window.send('activityChanged', { activeSinceMs });
  });
}

const touchedBy =
  ({ arrive }: UserActivity): BridgeCalls['reportActivity'] =>
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
