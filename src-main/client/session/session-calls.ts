/** What a window asks of one session. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type {
  Account,
  ConversationSummary,
  NewPerson,
  NewStream,
  StreamTopic,
} from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { Api } from '../transport/api.ts';
import { answer } from '../transport/answers.ts';
import type { SessionCalls } from '#shared/bridge/bridge.ts';
import type { Drafts } from '../outbox/drafts.ts';
import type { Files } from '../uploads/files.ts';
import type { BackgroundUploads } from '../uploads/background-uploads.ts';
import { createMessagePages } from '../sync/message-pages.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { PendingFlags } from '../outbox/pending-flags.ts';
import { createReadMarks } from '../sync/read-marks.ts';
import type { SyncState } from '../sync/account-sync.ts';
import type { LostMessages } from './lost-messages.ts';
import { checkNewPerson, checkNewStream } from './form-checks.ts';
import { createRequests } from '../transport/requests.ts';
import { findPerson } from '../sync/state/people.ts';
import { scopeOf } from '../sync/state/scope.ts';
import type { Clock, ExportPort } from '../ports.ts';
import { exportMessages } from '../export/export.ts';
import type { Saves } from '../uploads/saves.ts';
import type { Uploads } from '../uploads/uploads.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** More conversations than anybody scrolls through. */
const RECENT_CONVERSATIONS = 500;
const TOPICS = 500;
/** More than a switcher shows. */
const FOUND_TOPICS = 200;

interface SessionCallsParts {
  readonly api: Api;
  readonly account: Account;
  readonly sync: () => SyncState;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly flags: PendingFlags;
  readonly uploads: Uploads;
  readonly backgroundUploads: BackgroundUploads;
  readonly files: Files;
  readonly saves: Saves;
  readonly clock: Clock;
  readonly exportFolders: ExportPort | undefined;
  /** The origin of the service now. */
  readonly origin: () => string;
  readonly lostMessages: LostMessages;
  readonly isOffline: () => boolean;
  readonly answeredIncomplete: () => void;
}

export function createSessionCalls(
  parts: SessionCallsParts,
): Omit<SessionCalls, 'state' | 'cacheStatus' | 'clearCache'> {
  const { api, account, sync, outbox, drafts, uploads, backgroundUploads } = parts;
  const { files, saves, lostMessages } = parts;
  const { userId: ownUserId } = account;
  return {
    messages: createMessagePages({ ...parts, ownUserId }),
    ...createReadMarks({ ...parts, ownUserId }),
    ...createRequests(api),
    requestWithFile: (name, args, file) => uploads.requestWithFile(name, args, file),
    recent: async () => success(recentOf(sync())),
    sendMessage: async (draft, draftKey) => {
      const submitted = outbox.submit(draft, draftKey);
      if (submitted.ok && draftKey !== null) drafts.forget(draftKey);
      return submitted;
    },
    retryMessage: async (localId) => outbox.retry(localId),
    withdrawMessage: (localId) => outbox.withdraw(localId),
    saveDraft: async (draft) => drafts.save(draft),
    source: (messageId) => sourceOf(parts, messageId),
    topics: (streamId) => topicsOf(parts, streamId),
    findTopics: async (query) => success(findTopics(sync(), query)),
    upload: (request) => backgroundUploads.send(request),
    lostMessages: async () => success(await lostMessages.list()),
    reuploadLost: () => keeping(() => lostMessages.reupload()),
    declineLost: () => keeping(() => lostMessages.decline()),
    noteUploads: async (list) => success(backgroundUploads.note(list)),
    resumeUploads: async () => success(await backgroundUploads.resume()),
    uploadOutcome: (uploadId) => backgroundUploads.outcome(uploadId),
    retryUpload: (uploadId) => backgroundUploads.retry(uploadId),
    file: (url) => files.fetch(url),
    saveFile: (request) => saves.save(request),
    exportMessages: () =>
      exportMessages({
        ...parts,
        ownUserId,
        ownName: () => findPerson(sync().state?.people ?? [], ownUserId)?.fullName ?? account.email,
        realmName: () => sync().state?.organization.settings.name ?? account.realmName,
      }),
    createStream: (stream) => createStream(api, account, stream),
    createPerson: (person) => createPerson(api, person),
  };
}

/** What has to be on disk for it to be done. */
async function keeping(run: () => Promise<void>): Promise<Outcome<null>> {
  try {
    await run();
    return success(null);
  } catch {
    return failure('DISK_FULL', clientWords('own_disk_full'));
  }
}

function recentOf(sync: SyncState): readonly ConversationSummary[] {
  const { state } = sync;
  if (state === null) return [];
  return sync.read((cache) => cache.recent(RECENT_CONVERSATIONS, scopeOf(state)), []);
}

const findTopics = (sync: SyncState, query: string): readonly StreamTopic[] =>
  sync.read(
    (cache) =>
      query.trim() === ''
        ? cache.newestTopics(FOUND_TOPICS)
        : cache.findTopics(query, FOUND_TOPICS),
    [],
  );

async function sourceOf(
  { api, sync }: Pick<SessionCallsParts, 'api' | 'sync'>,
  messageId: number,
): Promise<Outcome<string>> {
  const kept = sync().read((cache) => cache.find([messageId]), [])[0]?.source;
  if (kept !== undefined) return success(kept);
  const outcome = await api.call(endpoints.lifecycle.get, { messageId, applyMarkdown: false });
  return answer(outcome, ({ message }) => message.content);
}

async function topicsOf(
  { api, sync, isOffline }: Pick<SessionCallsParts, 'api' | 'sync' | 'isOffline'>,
  streamId: number,
): Promise<Outcome<readonly string[]>> {
  const kept = sync().read((cache) => cache.topics(streamId, TOPICS), []);
  if (isOffline() && kept.length > 0) return success(kept);
  const outcome = await api.call(endpoints.streams.topics, { streamId });
  if (!outcome.ok && outcome.failure.code === 'UNREACHABLE') {
    return kept.length > 0 ? success(kept) : failure('UNREACHABLE', clientWords('topics_not_here'));
  }
  return answer(outcome, ({ topics }) => topics.map(({ name }) => name));
}

async function createPerson(api: Api, person: NewPerson): Promise<Outcome<number>> {
  const checked = checkNewPerson(person);
  if (!checked.ok) return checked;
  const outcome = await api.call(endpoints.users.create, {
    email: person.email.trim(),
    fullName: person.fullName.trim(),
    password: person.password,
  });
  return answer(outcome, ({ user_id: userId }) => userId);
}

async function createStream(
  api: Api,
  { userId }: Account,
  { name, description, isPrivate, userIds }: NewStream,
): ReturnType<SessionCalls['createStream']> {
  const checked = checkNewStream({ name, description, isPrivate, userIds });
  if (!checked.ok) return checked;
  const outcome = await api.call(endpoints.streams.subscribe, {
    subscriptions: [{ name: name.trim(), description: description.trim() }],
    inviteOnly: isPrivate,
    // Where the organization has chosen a stream for that; of private ones nobody is told.
    announce: true,
    // Without principals the caller is subscribed; with some, exactly those.
    principals: userIds.length === 0 ? [] : [...new Set([userId, ...userIds])],
  });
  return answer(outcome, ({ subscribed, already_subscribed: already }) => {
    const names = [...Object.values(subscribed), ...Object.values(already)].flat();
    return names[0] ?? name.trim();
  });
}
