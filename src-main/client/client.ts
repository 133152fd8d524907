/** The client: every call that a window may make, over the accounts of this computer. */
import type { HostRequest } from '../contract/models/client.ts';
import type { Outcome } from '../contract/outcome.ts';
import { failure, success } from '../contract/outcome.ts';
import type { BridgeCalls, BridgeEvents, StartProblem, StartState } from '../contract/bridge.ts';
import type { Client, SessionCalls } from './calls.ts';
import { soundFor } from '../contract/models/notifications.ts';
import { createEmitter } from './emitter.ts';
import { JoinedAccounts } from './joined-accounts.ts';
import { withKeychain } from './keychain.ts';
import type { ClientPorts } from './ports.ts';
import { checkHostRequest } from './request-rules.ts';
import type { Session } from './session.ts';
import { createOrganization, joinOrganization } from './sign-in.ts';

const openable: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

export function createClient(ports: ClientPorts): Client {
  const { on, emit } = createEmitter<BridgeEvents>();
  const accounts = new JoinedAccounts(ports, emit);
  return {
    ...accountCalls(ports, accounts),
    ...sessionCalls(accounts),
    openLink: (url) => openLink(ports, url),
    cancelUpload: async (uploadId) => {
      for (const session of accounts.sessions()) session.cancelUpload(uploadId);
      return success(null);
    },
    on,
    wake: () => {
      for (const session of accounts.sessions()) session.wake();
    },
    attend: () => {
      for (const session of accounts.sessions()) session.attend();
    },
    openConversation: (accountId, conversation, messageId) => {
      emit('conversationOpened', { accountId, conversation, messageId });
    },
    reconsider: () => {
      for (const session of accounts.sessions()) session.reconsider();
    },
    ledger: async () => {
      await accounts.ledger.ready;
      return success(accounts.ledger.entries());
    },
    playSound: async (sound) => {
      ports.attention.playSound(sound);
      return success(null);
    },
    testNotification: async (accountId) => testNotification(ports, accounts, accountId),
    countUnarrivedUploads: () =>
      [...accounts.sessions()].reduce((sum, each) => sum + each.countUnarrivedUploads(), 0),
    stop: () => accounts.stop(),
  };
}

type AccountCalls = Pick<
  BridgeCalls,
  'start' | 'retryStart' | 'hostOrganization' | 'connect' | 'signOut'
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
      const joined = await joinOrganization(ports, request);
      return joined.ok ? accounts.join(joined.value) : joined;
    },
    signOut: async (accountId) =>
      accounts.find(accountId) === undefined ? unknownAccount : accounts.signOut(accountId),
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
    return failure('CANNOT_HOST', 'An organization cannot be hosted from here.');
  }
  // An administrator whose key cannot be kept would be locked out of a new organization at once.
  const keychain = await withKeychain(() => ports.keys.find('none'));
  if (!keychain.ok) return keychain;
  const started = await ports.host.start();
  if (!started.ok) return started;
  const created = await createOrganization(ports, started.value.address, request);
  return created.ok ? accounts.join(created.value) : created;
}

type PerSession = Pick<BridgeCalls, keyof SessionCalls | 'connection' | 'showView'>;

function sessionCalls(accounts: JoinedAccounts): PerSession {
  const withSession = async <T>(
    accountId: string,
    run: (session: Session) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    const entry = accounts.find(accountId);
    if (entry === undefined) return unknownAccount;
    if (entry.session !== null) return run(entry.session);
    const { connection } = entry;
    const reason = 'reason' in connection ? connection.reason : 'This account is being opened.';
    return failure('NOT_CONNECTED', reason);
  };
  return {
    connection: async (accountId) => {
      const entry = accounts.find(accountId);
      if (entry === undefined) return unknownAccount;
      return success(entry.session?.connection ?? entry.connection);
    },
    showView: async (accountId, view) => {
      if (accounts.find(accountId) === undefined) return unknownAccount;
      accounts.show(accountId, view);
      return success(null);
    },
    state: (id) => withSession(id, ({ calls }) => calls.state()),
    messages: (id, request) => withSession(id, ({ calls }) => calls.messages(request)),
    recent: (id) => withSession(id, ({ calls }) => calls.recent()),
    sendMessage: (id, draft, key) => withSession(id, ({ calls }) => calls.sendMessage(draft, key)),
    retryMessage: (id, localId) => withSession(id, ({ calls }) => calls.retryMessage(localId)),
    takeMessageBack: (id, localId) =>
      withSession(id, ({ calls }) => calls.takeMessageBack(localId)),
    saveDraft: (id, draft) => withSession(id, ({ calls }) => calls.saveDraft(draft)),
    markRead: (id, target) => withSession(id, ({ calls }) => calls.markRead(target)),
    markUnreadFrom: (id, view, messageId) =>
      withSession(id, ({ calls }) => calls.markUnreadFrom(view, messageId)),
    star: (id, messageId, isStarred) =>
      withSession(id, ({ calls }) => calls.star(messageId, isStarred)),
    source: (id, messageId) => withSession(id, ({ calls }) => calls.source(messageId)),
    topics: (id, streamId) => withSession(id, ({ calls }) => calls.topics(streamId)),
    allTopics: (id) => withSession(id, ({ calls }) => calls.allTopics()),
    createStream: (id, stream) => withSession(id, ({ calls }) => calls.createStream(stream)),
    createPerson: (id, person) => withSession(id, ({ calls }) => calls.createPerson(person)),
    request: (id, name, args) => withSession(id, ({ calls }) => calls.request(name, args)),
    requestWithFile: (id, name, args, file) =>
      withSession(id, ({ calls }) => calls.requestWithFile(name, args, file)),
    upload: (id, request) => withSession(id, ({ calls }) => calls.upload(request)),
    leaveUploads: (id, left) => withSession(id, ({ calls }) => calls.leaveUploads(left)),
    takeUploads: (id) => withSession(id, ({ calls }) => calls.takeUploads()),
    uploadOutcome: (id, uploadId) => withSession(id, ({ calls }) => calls.uploadOutcome(uploadId)),
    retryUpload: (id, uploadId) => withSession(id, ({ calls }) => calls.retryUpload(uploadId)),
    file: (id, url) => withSession(id, ({ calls }) => calls.file(url)),
    cacheStatus: (id) => withSession(id, ({ calls }) => calls.cacheStatus()),
    clearCache: (id) => withSession(id, ({ calls }) => calls.clearCache()),
  };
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
    return failure('NOT_PERMITTED', 'The system does not let Hearth show notifications.');
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

const unknownAccount = failure('NO_ACCOUNT', 'This account is not on this computer.');

async function openLink(ports: ClientPorts, url: string): Promise<Outcome<null>> {
  if (!URL.canParse(url) || !openable.has(new URL(url).protocol)) {
    return failure('BAD_LINK', 'Only links to web pages and e-mail addresses are opened.');
  }
  try {
    await ports.openLink(new URL(url).href);
  } catch {
    return failure(
      'LINK_NOT_OPENED',
      'This computer has no program that opens the link. Copy it and open it yourself.',
    );
  }
  return success(null);
}
