/** The client: every call that a window may make, over the accounts of this computer. */
import type { Account, Conversation, HostRequest } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type {
  Bridge,
  BridgeCalls,
  BridgeEvents,
  FileCalls,
  SessionCalls,
  ShellCalls,
  StartProblem,
  StartState,
} from '#shared/bridge/bridge.ts';
import type { BackupCalls, MigrationCalls } from '#shared/bridge/hosting-calls.ts';
import { sessionCallNames } from '#shared/bridge/call-names.ts';
import { soundFor } from '#shared/bridge/models/notifications.ts';
import { createEmitter } from './emitter.ts';
import { JoinedAccounts } from './accounts/joined-accounts.ts';
import { withKeychain } from './accounts/keychain.ts';
import { checkConnection } from './diagnostics/check-connection.ts';
import type { ClientPorts } from './ports.ts';
import { checkHostRequest } from './session/form-checks.ts';
import { createOrganization, joinByPasswordLink, joinOrganization } from './accounts/sign-in.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** What a client answers: every call of the bridge, and what only the shell around a window may ask of it. */
export interface Client extends Omit<
  Bridge,
  keyof ShellCalls | keyof BackupCalls | keyof MigrationCalls | keyof FileCalls
> {
  /** The network came back or the computer woke: every session asks its service at once. */
  readonly wake: () => void;
  /** The window got the focus: what it shows is no longer unread. */
  readonly setActive: () => void;
  /** A notification was clicked. */
  readonly openConversation: (
    accountId: string,
    conversation: Conversation,
    messageId: number | null,
  ) => void;
  /** A choice that belongs to this computer changed. */
  readonly reconsider: () => void;
  /** Files that are only here, which a person who quits now would have to attach again. */
  readonly countUnfinishedUploads: () => number;
  /** The organization of some accounts has come to this computer, or left it: what each of them is from now on. */
  readonly reassignHost: (change: (account: Account) => Account) => Promise<void>;
  /** Ends every session; settles when their queues are deleted, or could not be in a short time. */
  readonly stop: () => Promise<void>;
}

// Whoever is signed in needs none of that before the first paint.
const loadInvitations = () => import('./accounts/invitations.ts');
const loadJoinRequests = () => import('./accounts/join-requests.ts');

const openable: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

export function createClient(ports: ClientPorts): Client {
  const { on, emit } = createEmitter<BridgeEvents>();
  const accounts = new JoinedAccounts(ports, emit);
  return {
    ...accountCalls(ports, accounts),
    ...accountViews(ports, accounts),
    ...sessionCalls(accounts),
    openLink: (url) => openLink(ports, url),
    cancelSave: async (saveId) => {
      for (const session of accounts.sessions()) session.cancelSave(saveId);
      return success(null);
    },
    cancelUpload: async (uploadId) => {
      for (const session of accounts.sessions()) session.cancelUpload(uploadId);
      ports.heldFiles?.release(uploadId);
      return success(null);
    },
    on,
    wake: () => {
      for (const session of accounts.sessions()) session.wake();
    },
    setActive: () => {
      for (const session of accounts.sessions()) session.setActive();
    },
    openConversation: (accountId, conversation, messageId) => {
      emit('conversationOpened', { accountId, conversation, messageId });
    },
    reconsider: () => {
      for (const session of accounts.sessions()) session.reconsider();
    },
    notificationLog: async () => {
      await accounts.notificationLog.ready;
      return success(accounts.notificationLog.entries());
    },
    playSound: async (sound) => {
      ports.attention.playSound(sound);
      return success(null);
    },
    testNotification: async (accountId) => testNotification(ports, accounts, accountId),
    countUnfinishedUploads: () =>
      [...accounts.sessions()].reduce((sum, each) => sum + each.countUnfinishedUploads(), 0),
    reassignHost: (change) => accounts.reassignHost(change),
    stop: () => accounts.stop(),
  };
}

type AccountCalls = Pick<
  BridgeCalls,
  | 'start'
  | 'retryStart'
  | 'hostOrganization'
  | 'connect'
  | 'nearbyOrganizations'
  | 'choosePassword'
  | 'requestToJoin'
  | 'pendingJoinRequests'
  | 'dropJoinRequest'
  | 'invitation'
  | 'acceptInvitation'
  | 'signOut'
>;

function accountCalls(ports: ClientPorts, accounts: JoinedAccounts): AccountCalls {
  let opening: Promise<StartProblem | null> | undefined;
  const start = async (): Promise<Outcome<StartState>> => {
    const problem = await (opening ??= accounts.open());
    return success({ ...(await ports.describeShell()), accounts: accounts.list(), problem });
  };
  return {
    start,
    retryStart: () => {
      opening = accounts.open();
      return start();
    },
    hostOrganization: (request) => hostOrganization(ports, accounts, request),
    connect: async (request) => {
      const joined = await joinOrganization({ ...ports, ...accounts.trust }, request);
      return joined.ok ? accounts.join(joined.value) : joined;
    },
    nearbyOrganizations: async () => success(accounts.nearbyOrganizations()),
    choosePassword: async (request) => {
      const joined = await joinByPasswordLink({ ...ports, ...accounts.trust }, request);
      return joined.ok ? accounts.join(joined.value) : joined;
    },
    ...joinRequestCalls(ports, accounts),
    invitation: async (link, words) => {
      const { fetchInvitation } = await loadInvitations();
      return fetchInvitation({ ...ports, ...accounts.trust }, link, words ?? undefined);
    },
    acceptInvitation: async (request) => {
      const { joinByInvitation } = await loadInvitations();
      const joined = await joinByInvitation({ ...ports, ...accounts.trust }, request);
      if (!joined.ok) return joined;
      const { removeFulfilledRequest } = await loadJoinRequests();
      await removeFulfilledRequest(ports.keys, joined.value.account.email);
      return accounts.join(joined.value);
    },
    signOut: async (accountId) =>
      accounts.find(accountId) === undefined ? unknownAccount : accounts.signOut(accountId),
  };
}

function joinRequestCalls(
  ports: ClientPorts,
  accounts: JoinedAccounts,
): Pick<BridgeCalls, 'requestToJoin' | 'pendingJoinRequests' | 'dropJoinRequest'> {
  const asking = {
    network: { ...ports, ...accounts.trust },
    keys: ports.keys,
    addressesOf: (pin: string) => accounts.nearbyAddressesOf(pin),
  };
  return {
    requestToJoin: async (request) => (await loadJoinRequests()).requestToJoin(asking, request),
    pendingJoinRequests: async () => (await loadJoinRequests()).pendingJoinRequests(asking),
    dropJoinRequest: async () => (await loadJoinRequests()).dropJoinRequest(asking),
  };
}

async function hostOrganization(
  ports: ClientPorts,
  accounts: JoinedAccounts,
  request: HostRequest,
): ReturnType<BridgeCalls['hostOrganization']> {
  const checked = checkHostRequest(request);
  if (!checked.ok) return checked;
  if (ports.host === undefined) {
    return failure('CANNOT_HOST', clientWords('hosting_not_possible'));
  }
  // An administrator whose key cannot be kept would be locked out of a new organization at once.
  const keychain = await withKeychain(() => ports.keys.find('none'));
  if (!keychain.ok) return keychain;
  const started = await ports.host.start();
  if (!started.ok) return started;
  const { address, setupCode = request.setupCode } = started.value;
  const created = await createOrganization(ports, address, { ...request, setupCode });
  return created.ok ? accounts.join(created.value) : created;
}

type AccountViews = Pick<BridgeCalls, 'connection' | 'checkConnection' | 'showView'>;

const accountViews = (ports: ClientPorts, accounts: JoinedAccounts): AccountViews => ({
  connection: async (accountId) => {
    const connection = accounts.connection(accountId);
    return connection === undefined ? unknownAccount : success(connection);
  },
  checkConnection: (subject) =>
    checkConnection(ports, subject, {
      find: (accountId) => accounts.find(accountId),
      knownFingerprint: accounts.knownFingerprint,
    }),
  showView: async (accountId, view) => {
    if (accounts.find(accountId) === undefined) return unknownAccount;
    accounts.show(accountId, view);
    return success(null);
  },
});

/** The calls of the session of an account, which is named first. */
function sessionCalls(accounts: JoinedAccounts): Pick<BridgeCalls, keyof SessionCalls> {
  const forwarded =
    (name: keyof SessionCalls) =>
    async (accountId: string, ...args: readonly unknown[]): Promise<Outcome<unknown>> => {
      // The window shows what it knows from the last time, and can be used, before accounts are open.
      const opening = accounts.opening(accountId);
      if (opening !== undefined) await opening;
      const entry = accounts.find(accountId);
      if (entry === undefined) return unknownAccount;
      const { connection, session } = entry;
      const call = session?.calls[name] as
        ((...args: readonly unknown[]) => Promise<Outcome<unknown>>) | undefined;
      if (call !== undefined) return call(...args);
      const told = 'reason' in connection ? connection.reason : clientWords('account_being_opened');
      return failure('NOT_CONNECTED', told);
    };
  const calls = sessionCallNames.map((name) => [name, forwarded(name)] as const);
  return Object.fromEntries(calls) as unknown as ReturnType<typeof sessionCalls>;
}

/** Shows what a notification looks like and plays what it sounds like, whatever is switched off. */
function testNotification(
  { attention, choices }: ClientPorts,
  accounts: JoinedAccounts,
  accountId: string,
): Outcome<null> {
  const entry = accounts.find(accountId);
  if (entry === undefined) return unknownAccount;
  if (!attention.canNotify()) {
    return failure('NOT_PERMITTED', clientWords('notifications_not_permitted'));
  }
  attention.notify({
    tag: 'test',
    title: entry.account.realmName,
    body: 'This is what a notification looks like.',
    accountId,
    conversation: { kind: 'private', userIds: [] },
    messageId: 0,
  });
  const setting = entry.session?.state?.notifications.notification_sound ?? '';
  attention.playSound(soundFor(setting, choices().notificationSound));
  return success(null);
}

const unknownAccount = failure('NO_ACCOUNT', clientWords('account_not_here'));

async function openLink(ports: ClientPorts, url: string): Promise<Outcome<null>> {
  if (!URL.canParse(url) || !openable.has(new URL(url).protocol)) {
    return failure('BAD_LINK', clientWords('link_of_other_scheme'));
  }
  try {
    await ports.openLink(new URL(url).href);
  } catch {
    return failure('LINK_NOT_OPENED', clientWords('link_not_opened'));
  }
  return success(null);
}
