/** The parts that a session consists of, put together. */
import type { Account } from '#shared/bridge/models/client.ts';
import type { Api } from '../transport/api.ts';
import { createApiAt } from '../transport/api.ts';
import type { NotificationLog } from '../notifications/notification-log.ts';
import { createDrafts, type Drafts } from '../outbox/drafts.ts';
import { createFiles, type Files } from '../uploads/files.ts';
import { Backfill, scopesOf } from '../sync/backfill.ts';
import { CachedSyncState } from '../sync/stored-sync.ts';
import { createBackgroundUploads, type BackgroundUploads } from '../uploads/background-uploads.ts';
import { type ArrivedMessage, Notifier } from '../notifications/notifier.ts';
import {
  createOwnCredentials,
  followingAddress,
  type OwnCredentials,
  watchOwnAddress,
} from '../sync/own-credentials.ts';
import { createHeldBlobs } from '../uploads/held-blobs.ts';
import { LostMessages } from './lost-messages.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import { createPendingFlags, type PendingFlags } from '../outbox/pending-flags.ts';
import type { ClientPorts, ServerIdentityPort } from '../ports.ts';
import { SentMessages } from '../outbox/sent-messages.ts';
import type { ServerAddress } from './service-rediscovery.ts';
import type { SessionListener } from './session-listener.ts';
import { StateChangeBatch } from './state-updates.ts';
import { createSaves, type Saves } from '../uploads/saves.ts';
import { createUploads, type Uploads } from '../uploads/uploads.ts';

export interface SessionParts extends Pick<
  ClientPorts,
  | 'http'
  | 'fetchFile'
  | 'clock'
  | 'attention'
  | 'storage'
  | 'choices'
  | 'heldFiles'
  | 'saving'
  | 'exportFolders'
> {
  readonly account: Account;
  readonly serverAddress: ServerAddress;
  readonly key: string;
  /** Absent in a browser, which decides for itself who answers. */
  readonly serverIdentity?: Pick<ServerIdentityPort, 'isValidNextKeyNotice'>;
  /** One for all accounts. */
  readonly notificationLog: NotificationLog;
}

export interface SessionEngines {
  /** For keeping the place in the event log, which deals with failures itself. */
  readonly api: Api;
  /** For everything else: a call that has no answer is told of. */
  readonly watchedApi: Api;
  /** What is wrong with the file of unsent messages, as a sentence. */
  readonly outboxProblem: () => string | null;
  readonly cachedSync: CachedSyncState;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly flags: PendingFlags;
  readonly uploads: Uploads;
  readonly backgroundUploads: BackgroundUploads;
  readonly files: Files;
  readonly saves: Saves;
  readonly backfill: Backfill;
  readonly notifier: Notifier;
  readonly sentMessages: SentMessages;
  readonly lostMessages: LostMessages;
  readonly stateChanges: StateChangeBatch;
  /** Settles when nothing of it runs any more. */
  readonly stop: () => Promise<void>;
  readonly close: () => void;
}

/** What the parts tell the session. */
export interface EngineListener extends Omit<SessionListener, 'arrived' | 'connection'> {
  readonly arrived: (arrivals: readonly ArrivedMessage[]) => void;
  readonly queueId: () => string | null;
  /** A call had no answer. */
  readonly unanswered: () => void;
  /** The position in the event log is worth nothing any more. */
  readonly queueLost: () => void;
}

export function createSessionEngines(
  parts: SessionParts,
  listener: EngineListener,
): SessionEngines {
  const { account, clock, storage } = parts;
  const credentials = createOwnCredentials({ ...parts, ...listener });
  const quietApi = createAccountApi(parts, credentials);
  const api = watched(quietApi, listener.unanswered);
  const { outbox: store, problem } = storage.openOutbox(account.id);
  const flags = createPendingFlags({
    store,
    api,
    clock,
    // What is shown has to become again what the service says.
    refused: listener.queueLost,
  });
  const notifier = createNotifier(parts);
  const tellProblem = (storageProblem: string | null): void => listener.state({ storageProblem });
  const problems = createProblems(store, problem, tellProblem);
  const stateChanges = new StateChangeBatch(clock, listener.state);
  const keeper = { ...listener, problem: problems.ofCache, state: stateChanges.take };
  const cachedSync = createKeptReplica(parts, keeper, { flags, notifier, credentials });
  const sentMessages = new SentMessages({ outbox: () => outbox, sync: () => cachedSync.current });
  const drafts = createDrafts({ store, changed: (list) => listener.state({ drafts: list }) });
  const outbox = createOutbox({
    store,
    api,
    clock,
    ownUserId: account.userId,
    queueId: listener.queueId,
    changed: (items) => listener.state({ outbox: items }),
    accepted: (localId, messageId) => {
      sentMessages.accepted(localId, messageId);
    },
  });
  const { uploads, backgroundUploads } = createAccountUploads(parts, listener, api, cachedSync);
  const files = createAccountFiles(parts, cachedSync, credentials);
  const saves = createSaves({ ...parts, ...listener, write: files.write });
  const lostMessages = createLost(parts, api, cachedSync, listener);
  const backfill = createBackfill({ api, clock, choices: parts.choices }, cachedSync, listener);
  return {
    cachedSync,
    stateChanges,
    outbox,
    drafts,
    flags,
    uploads,
    backgroundUploads,
    files,
    saves,
    backfill,
    notifier,
    sentMessages,
    lostMessages,
    api: quietApi,
    watchedApi: api,
    outboxProblem: problems.ofOutbox,
    stop: async () => {
      problems.stop();
      for (const part of [backfill, drafts, backgroundUploads, uploads, files, lostMessages]) {
        part.stop();
      }
      await Promise.all([outbox.stop(), flags.stop()]);
    },
    close: () => {
      closeBoth(cachedSync, store);
    },
  };
}

/** What is wrong with either of the two files, as one sentence. */
function createProblems(
  store: OutboxStore,
  found: string | null,
  tell: (sentence: string | null) => void,
): {
  readonly ofCache: (sentence: string | null) => void;
  readonly ofOutbox: () => string | null;
  readonly stop: () => void;
} {
  let ofOutbox = found;
  let ofCache: string | null = null;
  const stop = store.onArrival(() => {
    // It could be opened at last.
    ofOutbox = null;
    tell(ofCache);
  });
  return {
    ofCache: (sentence) => {
      ofCache = sentence;
      tell(ofCache ?? ofOutbox);
    },
    ofOutbox: () => ofOutbox,
    stop,
  };
}

const createAccountApi = (
  { http, clock, serverAddress }: SessionParts,
  credentials: OwnCredentials,
): Api => followingAddress(createApiAt(serverAddress, { http, clock, credentials }), credentials);

/** A call that was not cut short and had no answer says that the connection may be dead. */
const watched = (api: Api, unanswered: () => void): Api => ({
  ...api,
  call: async (endpoint, args, options) => {
    const outcome = await api.call(endpoint, args, options);
    const isUnanswered = !outcome.ok && outcome.failure.code === 'UNREACHABLE';
    if (isUnanswered && options?.signal?.aborted !== true) unanswered();
    return outcome;
  },
});

function closeBoth(kept: CachedSyncState, store: OutboxStore): void {
  kept.close();
  store.close();
}

const createNotifier = ({
  account,
  attention,
  clock,
  notificationLog,
  choices,
}: SessionParts): Notifier =>
  new Notifier({
    accountId: account.id,
    attention,
    clock,
    notificationLog,
    doNotDisturbUntilSeconds: () => choices().doNotDisturbUntilSeconds,
    ownSound: () => choices().notificationSound,
  });

function createKeptReplica(
  { account, clock, storage }: SessionParts,
  listener: EngineListener & { readonly problem: (sentence: string | null) => void },
  parts: Pick<SessionEngines, 'flags' | 'notifier'> & { readonly credentials: OwnCredentials },
): CachedSyncState {
  const { flags, notifier, credentials } = parts;
  const watch = watchOwnAddress(account.userId, credentials.follow);
  const kept = new CachedSyncState({
    accountId: account.id,
    ownUserId: account.userId,
    clock,
    storage,
    pendingFlags: flags.list,
    problem: listener.problem,
    reopened: () => {
      listener.queueLost();
      listener.reset();
    },
    listener: {
      arrived: listener.arrived,
      changed: (messages) => {
        listener.changed(messages);
        notifier.read(messages.filter(({ isRead }) => isRead).map(({ id }) => id));
      },
      removed: (ids) => {
        listener.removed(ids);
        notifier.removed(ids);
      },
      state: (changes) => {
        watch(changes);
        listener.state(changes);
      },
      outdated: listener.queueLost,
    },
  });
  watch(kept.current.state ?? {});
  return kept;
}

function createAccountUploads(
  { account, storage, clock, heldFiles = createHeldBlobs() }: SessionParts,
  listener: Pick<EngineListener, 'uploadProgress'>,
  api: Api,
  cachedSync: CachedSyncState,
): Pick<SessionEngines, 'uploads' | 'backgroundUploads'> {
  const send: Uploads['upload'] = (request) => uploads.upload(request);
  const backgroundUploads = createBackgroundUploads({
    send,
    tell: listener.uploadProgress,
    release: heldFiles.release,
    store: storage.openUploads?.(account.id),
  });
  const uploads = createUploads({
    api,
    clock,
    files: heldFiles,
    begun: backgroundUploads.begun,
    maxUploadMiB: () =>
      cachedSync.current.state?.organization.settings.max_file_upload_size ?? null,
    progress: backgroundUploads.progressed,
  });
  return { uploads, backgroundUploads };
}

const createAccountFiles = (
  { serverAddress, fetchFile, clock }: SessionParts,
  kept: CachedSyncState,
  credentials: OwnCredentials,
): Files =>
  createFiles({
    fetchFile,
    clock,
    cache: {
      findFile: (url) => kept.current.cache.findFile(url),
      putFile: (url, type, bytes) => {
        kept.current.cache.putFile(url, type, bytes);
      },
    },
    get address() {
      return serverAddress.address;
    },
    otherAddresses: serverAddress.others,
    credentials,
  });

const createLost = (
  { account, clock, storage }: SessionParts,
  api: Api,
  kept: CachedSyncState,
  listener: EngineListener,
): LostMessages =>
  new LostMessages({
    api,
    clock,
    store: storage.openLost?.(account.id),
    read: (run, otherwise) => kept.current.read(run, otherwise),
    changed: (lost) => listener.state({ lost }),
  });

const createBackfill = (
  parts: Pick<SessionParts, 'clock' | 'choices'> & Pick<SessionEngines, 'api'>,
  kept: CachedSyncState,
  listener: EngineListener,
): Backfill =>
  new Backfill({
    ...parts,
    cache: () => kept.current.cache,
    failed: (error) => {
      kept.failed(error);
    },
    places: () => scopesOf(kept.current.state),
    queueId: () => kept.current.position?.queueId ?? null,
    marked: (messages) => kept.current.marked(messages),
    removed: (ids) => {
      kept.current.gone(ids);
    },
    repaired: (messages) => listener.changed(kept.current.shown(messages)),
    changed: (status) => listener.cache(status),
  });
