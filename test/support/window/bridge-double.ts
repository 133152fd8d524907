import {
  conversationKey,
  isInView,
  type Connection,
  type Conversation,
  type OutboxItem,
  type ShownMessage,
  type StreamTopic,
} from '#shared/bridge/models/client.ts';
import type { OrganizationSettings } from '#shared/api/models/organization-settings.ts';
import type { ClientState, Organization } from '#shared/bridge/models/client-state.ts';
import type { PendingJoinRequest, NearbyOrganization } from '#shared/bridge/models/client.ts';
import type { HostingStatus, NetworkAccess } from '#shared/bridge/models/hosting.ts';
import { checkNames, type ConnectionReport } from '#shared/bridge/models/connection-check.ts';
import type {
  ArchiveContent,
  BackupsStatus,
  MissingSinceBackup,
} from '#shared/bridge/models/backups.ts';
import {
  changedPreferences,
  defaultPreferences,
} from '#shared/bridge/models/preference-defaults.ts';
import type { MigrationTargetStatus, MigrationSourceStatus } from '#shared/bridge/models/moving.ts';
import type { Preferences } from '#shared/bridge/models/preferences.ts';
import type { SavedPlace } from '#shared/bridge/models/shell.ts';
import type { RequestName } from '#shared/bridge/requestable.ts';
import { bestMatches } from '#shared/text/fuzzy.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { account, officeState, ownUserId, person, stream } from './office.ts';
import type { Bridge, BridgeCalls, BridgeEvents, StartState } from '#preload/bridge.ts';

export { account, inTopic, ownUserId, person, stream, unreadIn, withPeople } from './office.ts';

/** An organization in memory behind a Bridge. Tests look at what was called and push what arrives. */

const desktopStart: StartState = {
  shell: 'desktop',
  canHost: true,
  hosted: null,
  fixedAddress: null,
  isDevelopment: false,
  accounts: [account],
  problem: null,
};

const backupsStatus: BackupsStatus = {
  folder: '/home/ada/.config/Hearth/backups',
  isDefaultFolder: true,
  isSameDisk: true,
  at: { hours: 12, minutes: 30 },
  isBusy: false,
  last: null,
  failure: null,
  code: 'none',
  isReminding: false,
};

export const recoveryCode =
  'attend unable receive garage cat section index crowd action differ jelly copy license';

export const moveCode = `hearth://move/${'ab'.repeat(16)}?pin=${'a'.repeat(52)}&at=192.168.1.7%3A9981&at=maras-laptop.local%3A9981`;

export const archiveContent: ArchiveContent = {
  name: 'Office',
  madeAtSeconds: 1_763_800_200,
  messages: 48_211,
  files: 317,
  safetyWords: 'apple river candle orbit lemon stone',
  hasKeys: true,
  hasNextKey: true,
};

const connectionReport: ConnectionReport = {
  isWell: false,
  sentence:
    'There is a computer at 192.168.1.20, and nothing listens at its port 9981. Open Hearth on the hosting computer, let others join, and compare the port on its Office page.',
  address: 'https://192.168.1.20:9981',
  steps: checkNames.map((name, index) => ({
    name,
    result: index < 2 ? 'passed' : index === 2 ? 'failed' : 'not-reached',
  })),
  text: 'Why Hearth does not connect\n\nhttps://192.168.1.20:9981\n  port: failed\n',
};

type Calls = BridgeCalls & Pick<Bridge, 'holdFile'>;
type Name = keyof Calls;
type Listener = (payload: never) => void;

export const askedToJoin: PendingJoinRequest = {
  realmName: 'Lantern Office',
  fullName: 'Nia Newcomer',
  email: 'nia@example.com',
  number: '4821',
  expires: 1_764_500_000,
  addresses: ['https://192.168.1.20:9981'],
  pin: 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst',
  state: 'waiting',
  link: null,
};

export class BridgeDouble implements Bridge {
  startState: StartState;
  current: ClientState = officeState;
  connectionState: Connection = { state: 'live' };
  hostingStatus: HostingStatus = { phase: 'running', address: account.address };
  nearby: readonly NearbyOrganization[] = [];
  asked: PendingJoinRequest | null = null;
  reach: NetworkAccess = {
    isOpen: false,
    isDecided: true,
    networks: [],
    addresses: [],
    remoteClients: [],
    identity: null,
    system: 'linux',
  };
  backupsStatus: BackupsStatus = backupsStatus;
  missingSince: MissingSinceBackup = {
    sinceSeconds: 1_763_800_200,
    snapshotAtSeconds: null,
    lostFiles: 0,
  };
  leaving: MigrationSourceStatus = { phase: 'none' };
  coming: MigrationTargetStatus = { phase: 'none' };
  isSomebodyHere = true;
  messageList: ShownMessage[] = [];
  choices: Preferences = defaultPreferences;
  targets: readonly string[] = [];
  place: SavedPlace | null = null;
  /** What the cache has beside the messages of the list. */
  keptTopics: readonly StreamTopic[] = [];
  /** Every call in order. */
  readonly calls: { readonly name: Name; readonly args: readonly unknown[] }[] = [];
  readonly #answers = new Map<Name, (...args: never[]) => Promise<unknown>>();
  readonly #listeners = new Map<keyof BridgeEvents, Set<Listener>>();
  readonly #requests = new Map<RequestName, (args: never) => Outcome<unknown>>([
    ['streams.members', () => success({ subscribers: [] })],
    ['joinRequests.list', () => success({ requests: [] })],
    ['devices.lastUses', () => success({ last_uses: [] })],
    ['officeFiles.listAll', () => success({ files: [], count: 0, bytes: 0, limit_bytes: null })],
    ['officeFiles.listOwn', () => success({ files: [], count: 0, bytes: 0, limit_bytes: null })],
  ]);
  #nextId = 1000;
  #nextLocalId = 1;

  constructor(start: Partial<StartState> = {}) {
    this.startState = { ...desktopStart, ...start };
  }

  /** What a call answers from now on, instead of acting on the organization in memory. */
  answer<N extends Name>(name: N, reply: Calls[N]): void {
    this.#answers.set(name, reply);
  }

  /** The call fails from now on. */
  fail(name: Name, message: string, argument?: string): void {
    this.#answers.set(name, async () => failure('BAD_REQUEST', message, argument));
  }

  /** The call acts on the organization in memory again. */
  restore(name: Name): void {
    this.#answers.delete(name);
  }

  argsOf(name: Name): readonly (readonly unknown[])[] {
    return this.calls.filter((call) => call.name === name).map(({ args }) => args);
  }

  /** As it is now, but for these settings. */
  organizationWith(settings: Partial<OrganizationSettings>): Organization {
    const { organization } = this.current;
    return { ...organization, settings: { ...organization.settings, ...settings } };
  }

  /** Changes slices of the state and tells the window. */
  changeState(changes: Partial<ClientState>): void {
    this.current = { ...this.current, ...changes };
    this.push('stateChanged', { accountId: account.id, changes });
  }

  changeConnection(connection: Connection): void {
    this.connectionState = connection;
    this.push('connectionChanged', { accountId: account.id, connection });
  }

  changeAttendance(activeSinceMs: number | null): void {
    this.isSomebodyHere = activeSinceMs !== null;
    this.push('activityChanged', { activeSinceMs });
  }

  changeHosting(status: HostingStatus): void {
    this.hostingStatus = status;
    this.push('hostingChanged', status);
  }

  changeOffice(changes: Partial<NetworkAccess>): void {
    this.reach = { ...this.reach, ...changes };
    this.push('networkAccessChanged', this.reach);
  }

  changeBackups(patch: Partial<BackupsStatus>): BackupsStatus {
    this.backupsStatus = { ...this.backupsStatus, ...patch };
    this.push('backupsChanged', this.backupsStatus);
    return this.backupsStatus;
  }

  changeMoveOut(status: MigrationSourceStatus): MigrationSourceStatus {
    this.leaving = status;
    this.push('migrationSourceChanged', status);
    return status;
  }

  /** Puts a message into the history without telling the window. */
  store(
    conversation: Conversation,
    rendered: string,
    extra: Partial<ShownMessage> = {},
  ): ShownMessage {
    const senderId = extra.senderId ?? 9;
    const message: ShownMessage = {
      id: this.#nextId++,
      conversation,
      senderId,
      senderName: this.current.people.find(({ userId }) => userId === senderId)?.fullName ?? '',
      rendered: rendered.startsWith('<') ? rendered : `<p>${rendered}</p>`,
      sentAtSeconds: Math.floor(Date.now() / 1000),
      isOwn: senderId === ownUserId,
      isRead: senderId === ownUserId,
      avatarUrl: null,
      is_me_message: false,
      editedAtSeconds: null,
      isStarred: false,
      isMentioned: false,
      hasAlertWord: false,
      reactions: [],
      match: null,
      localId: null,
      ...extra,
    };
    this.messageList.push(message);
    return message;
  }

  /** A message arrives live. */
  arrive(
    conversation: Conversation,
    rendered: string,
    extra: Partial<ShownMessage> = {},
  ): ShownMessage {
    const message = this.store(conversation, rendered, extra);
    this.push('messagesArrived', { accountId: account.id, messages: [message] });
    return message;
  }

  /** A known message is another one now: edited, reacted to, read. */
  changeMessage(id: number, change: Partial<ShownMessage>): void {
    const known = this.messageList.find((message) => message.id === id);
    if (known === undefined) throw new Error(`no message ${String(id)}`);
    const changed = { ...known, ...change };
    this.messageList = this.messageList.map((message) => (message.id === id ? changed : message));
    this.push('messagesChanged', { accountId: account.id, messages: [changed] });
  }

  removeMessages(...ids: number[]): void {
    this.messageList = this.messageList.filter(({ id }) => !ids.includes(id));
    this.push('messagesRemoved', { accountId: account.id, ids });
  }

  /** What the pass-through answers for one endpoint from now on. */
  answerRequest(name: RequestName, reply: (args: never) => Outcome<unknown>): void {
    this.#requests.set(name, reply);
  }

  requestsOf(name: RequestName): readonly unknown[] {
    return this.argsOf('request')
      .filter((args) => args[1] === name)
      .map((args) => args[2]);
  }

  push<E extends keyof BridgeEvents>(event: E, payload: BridgeEvents[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload as never);
  }

  readonly on: Bridge['on'] = (event, listener) => {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  };

  readonly preferences = this.#serve('preferences', async () => success(this.choices));
  readonly setPreferences = this.#serve('setPreferences', async (patch) => {
    this.choices = changedPreferences(this.choices, patch);
    this.push('preferencesChanged', this.choices);
    return success(this.choices);
  });
  readonly savePlace = this.#serve('savePlace', async (place) => {
    this.place = place;
    return success(null);
  });
  readonly savedPlace = this.#serve('savedPlace', async () => success(this.place));
  readonly pageReady = this.#serve('pageReady', async () => success(null));
  readonly reportActivity = this.#serve('reportActivity', async () => {
    if (!this.isSomebodyHere) this.changeAttendance(Date.now());
    return success(null);
  });
  readonly readyToClose = this.#serve('readyToClose', async () => success(null));
  readonly hosting = this.#serve('hosting', async () => success(this.hostingStatus));
  readonly startHosting = this.#serve('startHosting', async () => {
    this.changeHosting({ phase: 'running', address: account.address });
    return success(this.hostingStatus);
  });
  readonly makePasswordLinkHere = this.#serve('makePasswordLinkHere', async () =>
    success(`${account.address}/#password/8-${'a'.repeat(32)}`),
  );
  readonly networkAccess = this.#serve('networkAccess', async () => success(this.reach));
  readonly openToNetwork = this.#serve('openToNetwork', async (isOpen) => {
    this.changeOffice({ isOpen, isDecided: true });
    return success(this.reach);
  });
  readonly allowNetwork = this.#serve('allowNetwork', async (networkId, isAllowed) => {
    const networks = this.reach.networks.map((each) =>
      each.id === networkId ? { ...each, isAllowed } : each,
    );
    this.changeOffice({ networks });
    return success(this.reach);
  });
  readonly checkAddresses = this.#serve('checkAddresses', async () =>
    success(this.reach.addresses.map((address) => ({ address, result: 'reached' as const }))),
  );
  readonly webhookTargets = this.#serve('webhookTargets', async ({ allow, remove }) => {
    this.targets = [
      ...this.targets.filter((each) => each !== remove),
      ...(allow ?? '').split(' '),
    ].filter((each) => each !== '');
    return success(this.targets);
  });
  readonly saveAuthority = this.#serve('saveAuthority', async () =>
    success<string | null>('/home/ada/office-ca.pem'),
  );
  readonly backups = this.#serve('backups', async () => success(this.backupsStatus));
  readonly backUpNow = this.#serve('backUpNow', async () => success(this.backupsStatus));
  readonly chooseBackupFolder = this.#serve('chooseBackupFolder', async () =>
    success(this.backupsStatus),
  );
  readonly saveCopy = this.#serve('saveCopy', async () => success(null));
  readonly setBackupTime = this.#serve('setBackupTime', async (at) =>
    success(this.changeBackups({ at })),
  );
  readonly postponeBackups = this.#serve('postponeBackups', async () =>
    success(this.changeBackups({ isReminding: false })),
  );
  readonly recoveryCode = this.#serve('recoveryCode', async () => success(recoveryCode));
  readonly confirmRecoveryCode = this.#serve('confirmRecoveryCode', async () =>
    success(this.changeBackups({ code: 'confirmed' })),
  );
  readonly reportKeysStolen = this.#serve('reportKeysStolen', async () =>
    success(this.backupsStatus),
  );
  readonly chooseArchive = this.#serve('chooseArchive', async () =>
    success('Office-2026-11-22T12-30-00.hearth'),
  );
  readonly inspectArchive = this.#serve('inspectArchive', async () => success(archiveContent));
  readonly restoreArchive = this.#serve('restoreArchive', async () => success(this.hostingStatus));
  readonly missing = this.#serve('missing', async () => success(this.missingSince));
  readonly openRestored = this.#serve('openRestored', async () => {
    this.changeHosting({ phase: 'running', address: account.address });
    return success(this.hostingStatus);
  });
  readonly unlockHosting = this.#serve('unlockHosting', async () => success(this.hostingStatus));
  readonly startHostingWithNewKeys = this.#serve('startHostingWithNewKeys', async () =>
    success(this.hostingStatus),
  );
  readonly migrationSource = this.#serve('migrationSource', async () => success(this.leaving));
  readonly createTransferCode = this.#serve('createTransferCode', async () =>
    success(
      this.changeMoveOut({
        phase: 'offered',
        code: moveCode,
        expiresAtSeconds: Math.floor(Date.now() / 1000) + 600,
      }),
    ),
  );
  readonly confirmMigration = this.#serve('confirmMigration', async () =>
    success(this.changeMoveOut({ phase: 'moving', computer: 'maras-laptop' })),
  );
  readonly cancelMigration = this.#serve('cancelMigration', async () =>
    success(this.changeMoveOut({ phase: 'none' })),
  );
  readonly migrationTarget = this.#serve('migrationTarget', async () => success(this.coming));
  readonly startMigration = this.#serve('startMigration', async () => success(this.hostingStatus));
  readonly stopMigration = this.#serve('stopMigration', async () => success(null));
  readonly start = this.#serve('start', async () => success(this.startState));
  readonly retryStart = this.#serve('retryStart', async () => success(this.startState));
  readonly hostOrganization = this.#serve('hostOrganization', async () => success(account));
  readonly connect = this.#serve('connect', async () => success(account));
  readonly nearbyOrganizations = this.#serve('nearbyOrganizations', async () =>
    success(this.nearby),
  );
  readonly choosePassword = this.#serve('choosePassword', async () => success(account));
  readonly invitation = this.#serve('invitation', async ({ addresses }) =>
    success({
      address: addresses[0] ?? '',
      realmName: 'Lantern Office',
      inviterName: 'Mara Host',
      email: 'ben@example.com',
      icon: null,
    }),
  );
  readonly requestToJoin = this.#serve('requestToJoin', async ({ fullName, email }) =>
    success((this.asked = { ...askedToJoin, fullName, email })),
  );
  readonly pendingJoinRequests = this.#serve('pendingJoinRequests', async () =>
    success(this.asked),
  );
  readonly dropJoinRequest = this.#serve('dropJoinRequest', async () => {
    this.asked = null;
    return success(null);
  });
  readonly acceptInvitation = this.#serve('acceptInvitation', async () => success(account));
  readonly signOut = this.#serve('signOut', async () => {
    this.startState = { ...this.startState, accounts: [] };
    return success(null);
  });
  readonly state = this.#serve('state', async () => success(this.current));
  readonly connection = this.#serve('connection', async () => success(this.connectionState));
  readonly checkConnection = this.#serve('checkConnection', async () => success(connectionReport));
  readonly messages = this.#serve('messages', async (_, { view, anchor, before, after }) => {
    const all = this.messageList.filter((message) =>
      view.kind === 'search'
        ? view.terms.some(({ operator, operand }) => operator === 'id' && operand === message.id)
        : isInView(message, view),
    );
    const unread = all.find(({ isRead }) => !isRead)?.id;
    const anchorId =
      anchor === 'newest' ? null : anchor === 'first-unread' ? (unread ?? null) : anchor;
    const at = anchorId ?? Infinity;
    const older = all.filter(({ id }) => id < at);
    const exact = all.filter(({ id }) => id === at);
    const newer = all.filter(({ id }) => id > at);
    return success({
      messages: [...(before === 0 ? [] : older.slice(-before)), ...exact, ...newer.slice(0, after)],
      anchorId,
      hasOldest: older.length <= before,
      hasNewest: newer.length <= after,
      isComplete: true,
    });
  });
  readonly recent = this.#serve('recent', async () => {
    const newest = new Map(this.messageList.map((m) => [conversationKey(m.conversation), m]));
    return success(
      [...newest.values()]
        .sort((a, b) => b.id - a.id)
        .map((message) => ({
          conversation: message.conversation,
          newestMessageId: message.id,
          newestAtSeconds: message.sentAtSeconds,
          newestSenderId: message.senderId,
          excerpt: message.rendered.replaceAll(/<[^<>]*>/g, ''),
          isParticipant: message.isOwn,
        })),
    );
  });
  /** Accepted at once, unless `sendMessage` is made to answer otherwise. */
  readonly sendMessage = this.#serve('sendMessage', async (_, { conversation, content }, key) => {
    if (this.current.drafts.some((draft) => draft.key === key))
      this.changeState({ drafts: this.current.drafts.filter((draft) => draft.key !== key) });
    const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const localId = `local-${String(this.#nextLocalId++)}`;
    this.arrive(conversation, escaped, { senderId: ownUserId, localId });
    const item: OutboxItem = {
      localId,
      conversation,
      content,
      writtenAtSeconds: Math.floor(Date.now() / 1000),
      state: 'sending',
      failure: '',
    };
    return success(item);
  });
  readonly retryMessage = this.#serve('retryMessage', async () => success(null));
  readonly withdrawMessage = this.#serve('withdrawMessage', async (_, localId) => {
    const item = this.current.outbox.find((each) => each.localId === localId);
    if (item === undefined) return failure('ALREADY_SENT', 'This message was sent already.');
    this.changeState({ outbox: this.current.outbox.filter((each) => each !== item) });
    return success({ conversation: item.conversation, content: item.content });
  });
  readonly saveDraft = this.#serve('saveDraft', async (_, draft) => {
    const others = this.current.drafts.filter(({ key }) => key !== draft.key);
    const isEmpty = draft.content === '' && draft.topic === null;
    this.changeState({ drafts: isEmpty ? others : [draft, ...others] });
    return success(null);
  });
  readonly markRead = this.#serve('markRead', async (_, target) => {
    const isMeant = (message: ShownMessage): boolean =>
      target.kind === 'everything' ||
      (isInView(message, target.view) &&
        (target.kind === 'view' || (target.fromId <= message.id && message.id <= target.toId)));
    const messages = this.messageList
      .filter((message) => !message.isRead && isMeant(message))
      .map((message) => ({ ...message, isRead: true }));
    const changed = new Map(messages.map((message) => [message.id, message]));
    this.messageList = this.messageList.map((message) => changed.get(message.id) ?? message);
    if (messages.length > 0) this.push('messagesChanged', { accountId: account.id, messages });
    return success(null);
  });
  readonly markUnreadFrom = this.#serve('markUnreadFrom', async () => success(null));
  readonly star = this.#serve('star', async (_, messageId, isStarred) => {
    this.changeMessage(messageId, { isStarred });
    return success(null);
  });
  readonly source = this.#serve('source', async (_, messageId) => {
    const found = this.messageList.find(({ id }) => id === messageId);
    return success(found?.rendered.replaceAll(/<[^<>]*>/g, '') ?? '');
  });
  readonly request = this.#serve('request', async (_, name, args) => {
    const reply = this.#requests.get(name);
    return (reply?.(args as never) ?? success({})) as Outcome<never>;
  });
  readonly requestWithFile = this.#serve('requestWithFile', async () => success({} as never));
  readonly holdFile = this.#serve('holdFile', async () => success(null));
  readonly upload = this.#serve('upload', async (_, { name }) =>
    success(`/user_uploads/1/ab/${encodeURIComponent(name)}`),
  );
  readonly cancelUpload = this.#serve('cancelUpload', async () => success(null));
  readonly noteUploads = this.#serve('noteUploads', async () => success(null));
  readonly resumeUploads = this.#serve('resumeUploads', async () => success([]));
  readonly lostMessages = this.#serve('lostMessages', async () => success([]));
  readonly reuploadLost = this.#serve('reuploadLost', async () => success(null));
  readonly declineLost = this.#serve('declineLost', async () => success(null));
  readonly retryUpload = this.#serve('retryUpload', async () =>
    failure('UPLOAD_GONE', 'The upload did not go on.'),
  );
  readonly uploadOutcome = this.#serve('uploadOutcome', async () =>
    failure('UPLOAD_GONE', 'The upload did not go on.'),
  );
  readonly file = this.#serve('file', async () => failure('NOT_FOUND', 'No such file.'));
  readonly saveFile = this.#serve('saveFile', async () => success(true));
  readonly cancelSave = this.#serve('cancelSave', async () => success(null));
  readonly exportMessages = this.#serve('exportMessages', async () => success(null));
  readonly cacheStatus = this.#serve('cacheStatus', async () =>
    success({
      isEnabled: true,
      messages: this.messageList.length,
      bytes: 5_000_000,
      limitBytes: 500_000_000,
      backfill: 'complete' as const,
      completeSinceSeconds: 1_767_600_000,
    }),
  );
  readonly notificationLog = this.#serve('notificationLog', async () => success([]));
  readonly playSound = this.#serve('playSound', async () => success(null));
  readonly testNotification = this.#serve('testNotification', async () => success(null));
  readonly clearCache = this.#serve('clearCache', async () => success(null));
  readonly findTopics = this.#serve('findTopics', async (_, query) =>
    success(
      query === ''
        ? this.keptTopics.slice(0, 200)
        : bestMatches(query, this.keptTopics, 200, ({ topic }) => topic),
    ),
  );
  readonly topics = this.#serve('topics', async (_, streamId) => {
    const names = new Map<string, string>();
    for (const { conversation } of [...this.messageList].reverse()) {
      if (conversation.kind !== 'stream' || conversation.streamId !== streamId) continue;
      const key = conversationKey(conversation);
      if (!names.has(key)) names.set(key, conversation.topic);
    }
    return success([...names.values()]);
  });
  readonly createStream = this.#serve(
    'createStream',
    async (_, { name, description, isPrivate }) => {
      const fresh = stream(100 + this.current.streams.length, name, { description, isPrivate });
      this.changeState({ streams: [...this.current.streams, fresh] });
      return success(name);
    },
  );
  readonly createPerson = this.#serve('createPerson', async (_, { fullName, email }) => {
    const userId = 100 + this.current.people.length;
    const people = [...this.current.people, person(userId, fullName, { email })];
    this.changeState({ people });
    return success(userId);
  });
  readonly showView = this.#serve('showView', async () => success(null));
  readonly openLink = this.#serve('openLink', async () => success(null));

  #serve<N extends Name>(name: N, reply: Calls[N]): Calls[N] {
    const run = async (...args: never[]): Promise<Outcome<unknown>> => {
      this.calls.push({ name, args });
      const answer = this.#answers.get(name) ?? reply;
      return (await answer(...args)) as Outcome<unknown>;
    };
    return run as Calls[N];
  }
}
