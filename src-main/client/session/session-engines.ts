/** The parts that a session consists of, put together. */
import type { Account } from '#shared/bridge/models/client.ts';
import type { Api } from '../transport/api.ts';
import { createApiAt } from '../transport/api.ts';
import type { DecisionLedger } from '../notifications/notification-log.ts';
import { createDrafts, type Drafts } from '../outbox/drafts.ts';
import { createFiles, type Files } from '../uploads/files.ts';
import { Fill, placesOf } from '../sync/backfill.ts';
import { KeptReplica } from '../sync/stored-sync.ts';
import { createLeftUploads, type LeftUploads } from '../uploads/background-uploads.ts';
import { type Arrival, Notifier } from '../notifications/notifier.ts';
import {
  createOwnCredentials,
  followingAddress,
  type OwnCredentials,
  watchOwnAddress,
} from '../sync/own-credentials.ts';
import { LostMessages } from './lost-messages.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import { createPendingFlags, type PendingFlags } from '../outbox/pending-flags.ts';
import type { ClientPorts, OfficesPort } from '../ports.ts';
import { SentMessages } from '../outbox/sent-messages.ts';
import type { OfficePlace } from './service-rediscovery.ts';
import type { SessionListener } from './session-listener.ts';
import { StateNews } from './state-updates.ts';
import { createUploads, type Uploads } from '../uploads/uploads.ts';

export interface SessionParts extends Pick<
  ClientPorts,
  'http' | 'fetchFile' | 'clock' | 'attention' | 'storage' | 'choices' | 'takeouts'
> {
  readonly account: Account;
  readonly place: OfficePlace;
  readonly key: string;
  /** Absent in a browser, which decides for itself who answers. */
  readonly offices?: Pick<OfficesPort, 'isNoticeOf'>;
  /** One for all accounts. */
  readonly ledger: DecisionLedger;
}

export interface SessionEngines {
  /** For keeping the place in the event log, which deals with failures itself. */
  readonly api: Api;
  /** For everything else: a call that has no answer is told of. */
  readonly watchedApi: Api;
  /** What is wrong with the file of unsent messages, as a sentence. */
  readonly outboxProblem: () => string | null;
  readonly kept: KeptReplica;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly flags: PendingFlags;
  readonly uploads: Uploads;
  readonly left: LeftUploads;
  readonly files: Files;
  readonly fill: Fill;
  readonly notifier: Notifier;
  readonly sent: SentMessages;
  readonly lost: LostMessages;
  readonly stateNews: StateNews;
  /** Settles when nothing of it runs any more. */
  readonly stop: () => Promise<void>;
  readonly close: () => void;
}

/** What the parts tell the session. */
export interface EngineListener extends Omit<SessionListener, 'arrived' | 'connection'> {
  readonly arrived: (arrivals: readonly Arrival[]) => void;
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
  const stateNews = new StateNews(clock, listener.state);
  const keeper = { ...listener, problem: problems.ofCache, state: stateNews.take };
  const kept = createKeptReplica(parts, keeper, { flags, notifier, credentials });
  const sent = new SentMessages({ outbox: () => outbox, replica: () => kept.current });
  const drafts = createDrafts({ store, changed: (list) => listener.state({ drafts: list }) });
  const outbox = createOutbox({
    store,
    api,
    clock,
    ownUserId: account.userId,
    queueId: listener.queueId,
    changed: (items) => listener.state({ outbox: items }),
    accepted: (localId, messageId) => {
      sent.accepted(localId, messageId);
    },
  });
  const send: Uploads['upload'] = (request) => uploads.upload(request);
  const left = createLeftUploads({ send, tell: listener.uploadProgress });
  const uploads = createUploads({
    api,
    clock,
    maxUploadMiB: () => kept.current.state?.organization.maxUploadMiB ?? null,
    progress: left.progressed,
  });
  const files = createAccountFiles(parts, kept, credentials);
  const lost = createLost(parts, api, kept, listener);
  const fill = createFill({ api, clock, choices: parts.choices }, kept, listener);
  return {
    ...{ kept, stateNews, outbox, drafts, flags, uploads, left, files, fill, notifier, sent, lost },
    api: quietApi,
    watchedApi: api,
    outboxProblem: problems.ofOutbox,
    stop: async () => {
      problems.stop();
      for (const part of [fill, drafts, uploads, files, lost]) part.stop();
      await Promise.all([outbox.stop(), flags.stop()]);
    },
    close: () => {
      closeBoth(kept, store);
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

const createAccountApi = ({ http, clock, place }: SessionParts, credentials: OwnCredentials): Api =>
  followingAddress(createApiAt(place, { http, clock, credentials }), credentials);

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

function closeBoth(kept: KeptReplica, store: OutboxStore): void {
  kept.close();
  store.close();
}

const createNotifier = ({ account, attention, clock, ledger, choices }: SessionParts): Notifier =>
  new Notifier({
    accountId: account.id,
    attention,
    clock,
    ledger,
    doNotDisturbUntilSeconds: () => choices().doNotDisturbUntilSeconds,
    ownSound: () => choices().notificationSound,
  });

function createKeptReplica(
  { account, clock, storage }: SessionParts,
  listener: EngineListener & { readonly problem: (sentence: string | null) => void },
  parts: Pick<SessionEngines, 'flags' | 'notifier'> & { readonly credentials: OwnCredentials },
): KeptReplica {
  const { flags, notifier, credentials } = parts;
  const watch = watchOwnAddress(account.userId, credentials.follow);
  const kept = new KeptReplica({
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

const createAccountFiles = (
  { place, fetchFile, clock }: SessionParts,
  kept: KeptReplica,
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
      return place.address;
    },
    otherAddresses: place.others,
    credentials,
  });

const createLost = (
  { account, clock, storage }: SessionParts,
  api: Api,
  kept: KeptReplica,
  listener: EngineListener,
): LostMessages =>
  new LostMessages({
    ...{ api, clock },
    store: storage.openLost?.(account.id),
    read: (run, otherwise) => kept.current.read(run, otherwise),
    changed: (lost) => listener.state({ lost }),
  });

const createFill = (
  parts: Pick<SessionParts, 'clock' | 'choices'> & Pick<SessionEngines, 'api'>,
  kept: KeptReplica,
  listener: EngineListener,
): Fill =>
  new Fill({
    ...parts,
    cache: () => kept.current.cache,
    failed: (error) => {
      kept.failed(error);
    },
    places: () => placesOf(kept.current.state),
    queueId: () => kept.current.position?.queueId ?? null,
    marked: (messages) => kept.current.marked(messages),
    removed: (ids) => {
      kept.current.gone(ids);
    },
    repaired: (messages) => listener.changed(kept.current.shown(messages)),
    changed: (status) => listener.cache(status),
  });
