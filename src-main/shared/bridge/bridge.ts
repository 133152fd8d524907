/**
 * The contract between a window and what runs its sessions: the main process in the desktop application, the
 * page itself in a browser, a double in tests. Keys and passwords' derivatives never cross it.
 */
import type {
  Account,
  PendingJoinRequest,
  CacheStatus,
  ConnectRequest,
  Connection,
  Conversation,
  ConversationSummary,
  Draft,
  FetchedFile,
  HostRequest,
  InvitationRequest,
  InvitationView,
  JoinRequest,
  NearbyOrganization,
  BackgroundUpload,
  LostMessage,
  MessagePage,
  MessagePageRequest,
  NewPerson,
  NewStream,
  PasswordLinkRequest,
  PictureRequest,
  OutboxItem,
  ReadTarget,
  ShownMessage,
  StoredDraft,
  StreamTopic,
  ExportResult,
  ResumedUpload,
  SaveRequest,
  UploadRequest,
  View,
} from './models/client.ts';
import type { JoinLink } from '../join-link.ts';
import type { CheckSubject, ConnectionReport } from './models/connection-check.ts';
import type { ClientState } from './models/client-state.ts';
import type { HostingStatus, AddressCheck, NetworkAccess, TargetChoice } from './models/hosting.ts';
import type { BackupsStatus } from './models/backups.ts';
import type { MigrationSourceStatus, MigrationTargetStatus } from './models/moving.ts';
import type { NotificationLogEntry, SoundName } from './models/notifications.ts';
import type { Preferences, PreferencesPatch } from './models/preferences.ts';
import type { CommandId, SavedPlace } from './models/shell.ts';
import type { BackupCalls, MigrationCalls } from './hosting-calls.ts';
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
  /** It takes the setup code that the service printed: the page was opened on another computer. */
  readonly needsSetupCode?: boolean;
  /** An organization lives on this computer and nobody is signed in to it here. */
  readonly hosted: HostedOrganization | null;
  /** The service that a browser was loaded from; null in the desktop application. */
  readonly fixedAddress: string | null;
  /** What that service says of its organization before anybody signs in; absent where it has none, or does not answer. */
  readonly fixedOrganization?: FixedOrganization;
  /** That service takes requests to join from here. */
  readonly takesJoinRequests?: boolean;
  /** That service is a development one: it signs in without a password. */
  readonly isDevelopment: boolean;
}

export interface FixedOrganization {
  readonly name: string;
  /** Empty where there is none. */
  readonly description: string;
  /** Where its picture is on that service; null where it has none. */
  readonly icon: string | null;
}

export interface HostedOrganization {
  /** Empty where its service does not run, and so cannot tell. */
  readonly realmName: string;
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
  readonly savePlace: (place: SavedPlace) => Promise<Outcome<null>>;
  /** What was kept last; null when nothing was. */
  readonly savedPlace: () => Promise<Outcome<SavedPlace | null>>;
  /** The page listens: commands and links that waited for it are sent now. */
  readonly pageReady: () => Promise<Outcome<null>>;
  /** Somebody used keyboard or pointer in the window. */
  readonly reportActivity: () => Promise<Outcome<null>>;
  /** The answer to `windowClosing`: what the page had to hand over is handed over. */
  readonly readyToClose: () => Promise<Outcome<null>>;
  readonly hosting: () => Promise<Outcome<HostingStatus>>;
  /**
   * Starts the service of this computer's organization, on the port where it was last or on another one, which is kept
   * once it ran there. The failure's sentence says what to do.
   */
  readonly startHosting: (port: number | null) => Promise<Outcome<HostingStatus>>;
  /**
   * A link to a new password for somebody of the organization that runs on this computer, after the person was asked outside
   * of the page. Fails with NOT_CONFIRMED where they said no.
   */
  readonly makePasswordLinkHere: (email: string) => Promise<Outcome<string>>;
  /** How others come to the organization of this computer, looked at now. */
  readonly networkAccess: () => Promise<Outcome<NetworkAccess>>;
  /** Lets others join in the networks of now, or nobody any more, at once. */
  readonly openToNetwork: (isOpen: boolean) => Promise<Outcome<NetworkAccess>>;
  readonly allowNetwork: (networkId: string, isAgreed: boolean) => Promise<Outcome<NetworkAccess>>;
  /** What outgoing bots may reach inside of this computer's network, after it was changed. */
  readonly webhookTargets: (change: TargetChoice) => Promise<Outcome<readonly string[]>>;
  readonly checkAddresses: () => Promise<Outcome<readonly AddressCheck[]>>;
  /**
   * Asks where to put the certificate of the authority of the account's office, and answers the path; null where the person
   * changed their mind. Fails with NO_AUTHORITY where the office has no certificate of its own.
   */
  readonly saveAuthority: (accountId: string) => Promise<Outcome<string | null>>;
}

/** The calls that are the API's own. What they changed comes back as a change of state. */
interface Requests<Account extends readonly string[]> {
  readonly request: <N extends RequestName>(
    ...call: [...account: Account, name: N, args: RequestArguments<N>]
  ) => Promise<Outcome<RequestResult<N>>>;
  readonly requestWithFile: <N extends FileRequestName>(
    ...call: [...account: Account, name: N, args: RequestArguments<N>, file: PictureRequest]
  ) => Promise<Outcome<RequestResult<N>>>;
}

/** What the session of one account answers. */
interface OwnCalls {
  /** Waits for the first snapshot where neither the service nor the cache has given one yet. */
  readonly state: () => Promise<Outcome<ClientState>>;
  /** From the cache where it has them all, else from the service; offline whatever the cache has. */
  readonly messages: (request: MessagePageRequest) => Promise<Outcome<MessagePage>>;
  /** Conversations by their newest message, newest first. */
  readonly recent: () => Promise<Outcome<readonly ConversationSummary[]>>;
  /**
   * Settles when the message is on disk here, and the stored draft of that key gone with it; it is sent as soon as that is
   * possible.
   */
  readonly sendMessage: (draft: Draft, draftKey: string | null) => Promise<Outcome<OutboxItem>>;
  /** Tries a failed message again. */
  readonly retryMessage: (localId: string) => Promise<Outcome<null>>;
  /**
   * Takes a message out of the outbox, to write it anew or to drop it. Fails with ALREADY_SENT where it can no longer
   * be taken back.
   */
  readonly withdrawMessage: (localId: string) => Promise<Outcome<Draft>>;
  /** On disk when it settles. An empty content and no topic remove it. */
  readonly saveDraft: (draft: StoredDraft) => Promise<Outcome<null>>;
  /** At once here; the service is told as soon as that is possible. */
  readonly markRead: (target: ReadTarget) => Promise<Outcome<null>>;
  /** The message and all newer ones of the view become unread. */
  readonly markUnreadFrom: (view: View, messageId: number) => Promise<Outcome<null>>;
  readonly star: (messageId: number, isStarred: boolean) => Promise<Outcome<null>>;
  /** A message as it was written (Markdown). */
  readonly source: (messageId: number) => Promise<Outcome<string>>;
  /** Topic names of a stream, newest first. */
  readonly topics: (streamId: number) => Promise<Outcome<readonly string[]>>;
  /**
   * Topics of all streams that answer what was typed, as far as they are on this computer: the best of them, those that were
   * written in last first. Where nothing was typed, the newest.
   */
  readonly findTopics: (query: string) => Promise<Outcome<readonly StreamTopic[]>>;
  /** Creates a stream and subscribes the caller and the given people: its name. */
  readonly createStream: (stream: NewStream) => Promise<Outcome<string>>;
  /** Creates an account for a colleague (administrators): its user id. */
  readonly createPerson: (person: NewPerson) => Promise<Outcome<number>>;
  /** Puts a file on the service that was handed over by `holdFile`: the address by which a message links to it. */
  readonly upload: (request: UploadRequest) => Promise<Outcome<string>>;
  /** Sends the file of one that was taken and failed once more: as `upload` does, or UPLOAD_GONE where it is no longer kept. */
  readonly retryUpload: (uploadId: string) => Promise<Outcome<string>>;
  /** What the page has under way, for the one after it: these go on without it. In place of those that were told before. */
  readonly noteUploads: (uploads: readonly BackgroundUpload[]) => Promise<Outcome<null>>;
  /** Those that a page before this one left, which are this one's from then on. */
  readonly resumeUploads: () => Promise<Outcome<readonly ResumedUpload[]>>;
  /** Settles when an upload that was taken has ended: as `upload` does, or with UPLOAD_GONE. */
  readonly uploadOutcome: (uploadId: string) => Promise<Outcome<string>>;
  /** A picture or file of the service; refuses addresses elsewhere. Kept, so that it is there offline. */
  readonly file: (url: string) => Promise<Outcome<FetchedFile>>;
  /**
   * Saves a file of the service where the person says, whom that is asked outside of the page. Settles when it is there; with
   * false where they choose no place, or cancel it.
   */
  readonly saveFile: (request: SaveRequest) => Promise<Outcome<boolean>>;
  /**
   * Puts what the person wrote, their private conversations and their files into a folder that they are asked for outside of
   * the page; null where they choose none. Fails with NO_FOLDERS in a browser.
   */
  readonly exportMessages: () => Promise<Outcome<ExportResult | null>>;
  readonly cacheStatus: () => Promise<Outcome<CacheStatus>>;
  /** What `lost` of the state counts, ascending. */
  readonly lostMessages: () => Promise<Outcome<readonly LostMessage[]>>;
  /** Offers them to the organization until it has answered for each. */
  readonly reuploadLost: () => Promise<Outcome<null>>;
  /** Forgets them, and what became of those that were given back. */
  readonly declineLost: () => Promise<Outcome<null>>;
  /** Removes what was kept of the account and fetches it anew; the outbox and the drafts stay. */
  readonly clearCache: () => Promise<Outcome<null>>;
}

export interface SessionCalls extends OwnCalls, Requests<[]> {}

/** Over the bridge each of them names its account first. */
type ForAccount<Calls> = {
  readonly [K in keyof Calls]: Calls[K] extends (...args: infer A) => infer R
    ? (accountId: string, ...args: A) => R
    : never;
};

/** Every call settles with an Outcome; it rejects only on a bug. */
export interface BridgeCalls
  extends
    ShellCalls,
    BackupCalls,
    MigrationCalls,
    ForAccount<OwnCalls>,
    Requests<[accountId: string]> {
  readonly start: () => Promise<Outcome<StartState>>;
  /** Tries again what `StartState.problem` reports. */
  readonly retryStart: () => Promise<Outcome<StartState>>;
  /** Creates an organization on this computer, starts its service and signs in. */
  readonly hostOrganization: (request: HostRequest) => Promise<Outcome<Account>>;
  /**
   * Signs in to an existing organization. Fails with PASSWORD_GIVEN where the person has to choose a password of their own
   * first, and the request has none.
   */
  readonly connect: (request: ConnectRequest) => Promise<Outcome<Account>>;
  /** Organizations that tell of themselves in the networks of this computer, as far as they were heard of; asks them again. */
  readonly nearbyOrganizations: () => Promise<Outcome<readonly NearbyOrganization[]>>;
  /** Chooses a new password by a link that an administrator made, and signs in with it. */
  readonly choosePassword: (request: PasswordLinkRequest) => Promise<Outcome<Account>>;
  /** Asks to join, in place of what was asked before on this computer. Fails with WORDS_NEEDED as `connect` does. */
  readonly requestToJoin: (request: JoinRequest) => Promise<Outcome<PendingJoinRequest>>;
  /** What became of that, looked at now; null where nothing was asked. */
  readonly pendingJoinRequests: () => Promise<Outcome<PendingJoinRequest | null>>;
  /** Takes it back, and forgets it. */
  readonly dropJoinRequest: () => Promise<Outcome<null>>;
  /** Who invites into what, for whoever has the link. Fails with WORDS_NEEDED as `connect` does. */
  readonly invitation: (link: JoinLink, words: string | null) => Promise<Outcome<InvitationView>>;
  /** Accepts an invitation: makes the account and signs in. */
  readonly acceptInvitation: (request: InvitationRequest) => Promise<Outcome<Account>>;
  /** Forgets the account, its key and what was kept of it on this computer; nothing on the service changes. */
  readonly signOut: (accountId: string) => Promise<Outcome<null>>;
  readonly connection: (accountId: string) => Promise<Outcome<Connection>>;
  /** Looks why something does not connect. It takes some seconds where nobody answers. */
  readonly checkConnection: (subject: CheckSubject) => Promise<Outcome<ConnectionReport>>;
  /** Stops it; of one that failed, the file is no longer kept for another attempt. */
  readonly cancelUpload: (uploadId: string) => Promise<Outcome<null>>;
  /** Stops the saving of a file, of which nothing is left. */
  readonly cancelSave: (saveId: string) => Promise<Outcome<null>>;
  /** What was decided about the last messages of all accounts, newest first. */
  readonly notificationLog: () => Promise<Outcome<readonly NotificationLogEntry[]>>;
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
  /** What `start` answered is no longer so. */
  readonly startChanged: StartState;
  readonly preferencesChanged: Preferences;
  readonly commandRun: { readonly command: CommandId };
  /**
   * Somebody left this computer, or came back to it. `activeSinceMs` is when whoever is there came, null while nobody is there.
   * Until it comes, somebody is.
   */
  readonly activityChanged: { readonly activeSinceMs: number | null };
  /** A link into an organization. Without an account it is for the one that the page has, or is about to have. */
  readonly linkOpened: { readonly accountId: string | null; readonly fragment: string };
  /** A link of an organization that is not joined here: the form to connect is shown with its address, then what it leads to. */
  readonly connectSuggested: { readonly address: string; readonly fragment: string };
  /** The page was opened by a link to a new password: the form for it is to be shown. */
  readonly passwordLinkOpened: { readonly address: string; readonly token: string };
  /** The link of an invitation was opened: its form is to be shown. */
  readonly invitationOpened: JoinLink;
  /** The page is about to be freed: it hands over what it has, and answers by `readyToClose`. */
  readonly windowClosing: Readonly<Record<string, never>>;
  readonly hostingChanged: HostingStatus;
  readonly networkAccessChanged: NetworkAccess;
  readonly backupsChanged: BackupsStatus;
  readonly migrationSourceChanged: MigrationSourceStatus;
  readonly migrationTargetChanged: MigrationTargetStatus;
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
  readonly saveProgress: { readonly saveId: string; readonly share: number };
  /** A notification or a link was clicked: go there. */
  readonly conversationOpened: {
    readonly accountId: string;
    readonly conversation: Conversation;
    readonly messageId: number | null;
  };
}

/** A call that the page makes as it starts, with the answer to it. */
export interface FirstAnswer<N extends keyof BridgeCalls = keyof BridgeCalls> {
  readonly name: N;
  readonly args: Parameters<BridgeCalls[N]>;
  readonly answer: Awaited<ReturnType<BridgeCalls[N]>>;
}

/** What crosses to another process in its own way. */
export interface FileCalls {
  /**
   * Hands over a file to be uploaded, by the id of the upload. Settles when the page need not have it any more: the other side
   * knows where on the disk it is, or has its content.
   */
  readonly holdFile: (uploadId: string, file: Blob) => Promise<Outcome<null>>;
}

/**
 * What the preload script exposes. An event is a string of JSON until the page reads it: as objects, thousands of messages
 * would be copied one property after the other, between the processes and once more into the page.
 */
export interface ExposedBridge extends BridgeCalls, FileCalls {
  readonly on: (event: keyof BridgeEvents, listener: (json: string) => void) => () => void;
}

export interface Bridge extends BridgeCalls, FileCalls {
  /** Returns the function that ends the listening. */
  readonly on: <E extends keyof BridgeEvents>(
    event: E,
    listener: (payload: BridgeEvents[E]) => void,
  ) => () => void;
}
