/**
 * The contract between a window and what runs its sessions: the main process in the desktop application, the
 * page itself in a browser, a double in tests. Keys and passwords' derivatives never cross it.
 */
import type {
  Account,
  CacheStatus,
  ConnectRequest,
  Connection,
  Conversation,
  ConversationSummary,
  Draft,
  FetchedFile,
  HostRequest,
  LeftUpload,
  MessagePage,
  MessagePageRequest,
  NewPerson,
  NewStream,
  OutboxItem,
  ReadTarget,
  ShownMessage,
  StoredDraft,
  StreamTopic,
  TakenUpload,
  UploadRequest,
  View,
} from './models/client.ts';
import type { ClientState } from './models/client-state.ts';
import type { LedgerEntry, SoundName } from './models/notifications.ts';
import type { Preferences, PreferencesPatch } from './models/preferences.ts';
import type { CommandId, KeptPlace } from './models/shell.ts';
import type { Outcome } from './outcome.ts';
import type {
  FileRequestName,
  RequestArguments,
  RequestName,
  RequestResult,
} from './requestable.ts';

/** Where a window runs. */
export interface Shell {
  readonly shell: 'desktop' | 'browser';
  /** An organization can be created here: by the desktop always, by a browser on a service that has none yet. */
  readonly canHost: boolean;
  /** The service that a browser was loaded from; null in the desktop application. */
  readonly fixedAddress: string | null;
  /** That service is a development one: it signs in without a password. */
  readonly isDevelopment: boolean;
}

/** What the window needs to know before it can show anything. */
export interface StartState extends Shell {
  readonly accounts: readonly Account[];
  /** Why an account that should be here could not be opened, as a sentence that says what to do. */
  readonly problem: StartProblem | null;
}

export interface StartProblem {
  readonly code: string;
  readonly message: string;
}

/** What the shell around the window answers itself: it concerns no account. */
export interface ShellCalls {
  readonly preferences: () => Promise<Outcome<Preferences>>;
  /** All of the patch holds afterwards, or none of it and the failure says why. */
  readonly setPreferences: (patch: PreferencesPatch) => Promise<Outcome<Preferences>>;
  readonly keepPlace: (place: KeptPlace) => Promise<Outcome<null>>;
  /** What was kept last; null when nothing was. */
  readonly keptPlace: () => Promise<Outcome<KeptPlace | null>>;
  /** The page listens: commands and links that waited for it are sent now. */
  readonly pageReady: () => Promise<Outcome<null>>;
  /** The answer to `windowClosing`: what the page had to hand over is handed over. */
  readonly readyToClose: () => Promise<Outcome<null>>;
}

/** Every call settles with an Outcome; it rejects only on a bug. */
export interface BridgeCalls extends ShellCalls {
  readonly start: () => Promise<Outcome<StartState>>;
  /** Tries again what `StartState.problem` reports. */
  readonly retryStart: () => Promise<Outcome<StartState>>;
  /** Creates an organization on this computer, starts its service and signs in. */
  readonly hostOrganization: (request: HostRequest) => Promise<Outcome<Account>>;
  /** Signs in to an existing organization. */
  readonly connect: (request: ConnectRequest) => Promise<Outcome<Account>>;
  /** Forgets the account, its key and what was kept of it on this computer; nothing on the service changes. */
  readonly signOut: (accountId: string) => Promise<Outcome<null>>;
  /** Waits for the first snapshot where neither the service nor the cache has given one yet. */
  readonly state: (accountId: string) => Promise<Outcome<ClientState>>;
  readonly connection: (accountId: string) => Promise<Outcome<Connection>>;
  /** From the cache where it has them all, else from the service; offline whatever the cache has. */
  readonly messages: (
    accountId: string,
    request: MessagePageRequest,
  ) => Promise<Outcome<MessagePage>>;
  /** Conversations by their newest message, newest first. */
  readonly recent: (accountId: string) => Promise<Outcome<readonly ConversationSummary[]>>;
  /**
   * Settles when the message is on disk here, and the stored draft of that key gone with it; it is sent as soon as that is
   * possible.
   */
  readonly sendMessage: (
    accountId: string,
    draft: Draft,
    draftKey: string | null,
  ) => Promise<Outcome<OutboxItem>>;
  /** Tries a failed message again. */
  readonly retryMessage: (accountId: string, localId: string) => Promise<Outcome<null>>;
  /**
   * Takes a message out of the outbox, to write it anew or to drop it. Fails with ALREADY_SENT where it can no longer
   * be taken back.
   */
  readonly takeMessageBack: (accountId: string, localId: string) => Promise<Outcome<Draft>>;
  /** On disk when it settles. An empty content and no topic remove it. */
  readonly saveDraft: (accountId: string, draft: StoredDraft) => Promise<Outcome<null>>;
  /** At once here; the service is told as soon as that is possible. */
  readonly markRead: (accountId: string, target: ReadTarget) => Promise<Outcome<null>>;
  /** The message and all newer ones of the view become unread. */
  readonly markUnreadFrom: (
    accountId: string,
    view: View,
    messageId: number,
  ) => Promise<Outcome<null>>;
  readonly star: (
    accountId: string,
    messageId: number,
    isStarred: boolean,
  ) => Promise<Outcome<null>>;
  /** A message as it was written (Markdown). */
  readonly source: (accountId: string, messageId: number) => Promise<Outcome<string>>;
  /** Topic names of a stream, newest first. */
  readonly topics: (accountId: string, streamId: number) => Promise<Outcome<readonly string[]>>;
  /** Topics of all streams, as far as they are on this computer; those that were written in last come first. */
  readonly allTopics: (accountId: string) => Promise<Outcome<readonly StreamTopic[]>>;
  /** Creates a stream and subscribes the caller and the given people: its name. */
  readonly createStream: (accountId: string, stream: NewStream) => Promise<Outcome<string>>;
  /** Creates an account for a colleague (administrators): its user id. */
  readonly createPerson: (accountId: string, person: NewPerson) => Promise<Outcome<number>>;
  /** A call of the API as it is; what it changed comes back as a change of state. */
  readonly request: <N extends RequestName>(
    accountId: string,
    name: N,
    args: RequestArguments<N>,
  ) => Promise<Outcome<RequestResult<N>>>;
  readonly requestWithFile: <N extends FileRequestName>(
    accountId: string,
    name: N,
    args: RequestArguments<N>,
    file: UploadRequest,
  ) => Promise<Outcome<RequestResult<N>>>;
  /** Puts a file on the service: the address by which a message links to it. */
  readonly upload: (accountId: string, request: UploadRequest) => Promise<Outcome<string>>;
  /** Stops it; of one that failed, the file is no longer kept for another attempt. */
  readonly cancelUpload: (uploadId: string) => Promise<Outcome<null>>;
  /** Sends the file of one that was taken and failed once more: as `upload` does, or UPLOAD_GONE where it is no longer kept. */
  readonly retryUpload: (accountId: string, uploadId: string) => Promise<Outcome<string>>;
  /** The page goes; these go on. In place of those that were left before and not taken. */
  readonly leaveUploads: (
    accountId: string,
    uploads: readonly LeftUpload[],
  ) => Promise<Outcome<null>>;
  /** Those that a page before this one left, which are this one's from then on. */
  readonly takeUploads: (accountId: string) => Promise<Outcome<readonly TakenUpload[]>>;
  /** Settles when an upload that was taken has ended: as `upload` does, or with UPLOAD_GONE. */
  readonly uploadOutcome: (accountId: string, uploadId: string) => Promise<Outcome<string>>;
  /** A picture or file of the service; refuses addresses elsewhere. Kept, so that it is there offline. */
  readonly file: (accountId: string, url: string) => Promise<Outcome<FetchedFile>>;
  readonly cacheStatus: (accountId: string) => Promise<Outcome<CacheStatus>>;
  /** Removes what was kept of the account and fetches it anew; the outbox and the drafts stay. */
  readonly clearCache: (accountId: string) => Promise<Outcome<null>>;
  /** What was decided about the last messages of all accounts, newest first. */
  readonly ledger: () => Promise<Outcome<readonly LedgerEntry[]>>;
  readonly playSound: (sound: SoundName) => Promise<Outcome<null>>;
  /** Shows and plays what a new message would. */
  readonly testNotification: (accountId: string) => Promise<Outcome<null>>;
  /** What the window shows, so that its messages need no notification; null for none. */
  readonly showView: (accountId: string, view: View | null) => Promise<Outcome<null>>;
  /** Opens a link of a message outside of the application, after a check of its scheme. */
  readonly openLink: (url: string) => Promise<Outcome<null>>;
}

/** What the shell around the window tells it; it concerns no account. */
export interface ShellEvents {
  readonly preferencesChanged: Preferences;
  readonly commandRun: { readonly command: CommandId };
  /** A `hearth://` link of an account here. */
  readonly linkOpened: { readonly accountId: string; readonly fragment: string };
  /** A link of an organization that is not joined here: the form to connect is to be shown with its address. */
  readonly connectSuggested: { readonly address: string };
  /** The page is about to be freed: it hands over what it has, and answers by `readyToClose`. */
  readonly windowClosing: Readonly<Record<string, never>>;
}

export interface BridgeEvents extends ShellEvents {
  /** New messages, ascending. */
  readonly messagesArrived: {
    readonly accountId: string;
    readonly messages: readonly ShownMessage[];
  };
  /** Edited, moved, reacted to, read, starred: as they are now. */
  readonly messagesChanged: {
    readonly accountId: string;
    readonly messages: readonly ShownMessage[];
  };
  /** Deleted, or no longer readable. */
  readonly messagesRemoved: { readonly accountId: string; readonly ids: readonly number[] };
  /** The slices that changed, whole. */
  readonly stateChanged: { readonly accountId: string; readonly changes: Partial<ClientState> };
  readonly connectionChanged: { readonly accountId: string; readonly connection: Connection };
  /** What the list of accounts says of it: its address was changed, here or on another computer. */
  readonly accountChanged: Account;
  /** The session lost its place in the event log; what is shown has to be fetched anew. */
  readonly messagesReset: { readonly accountId: string };
  readonly cacheChanged: { readonly accountId: string; readonly status: CacheStatus };
  /** 0 to 1. */
  readonly uploadProgress: { readonly uploadId: string; readonly share: number };
  /** A notification or a link was clicked: go there. */
  readonly conversationOpened: {
    readonly accountId: string;
    readonly conversation: Conversation;
    readonly messageId: number | null;
  };
}

export interface Bridge extends BridgeCalls {
  /** Returns the function that ends the listening. */
  readonly on: <E extends keyof BridgeEvents>(
    event: E,
    listener: (payload: BridgeEvents[E]) => void,
  ) => () => void;
}
