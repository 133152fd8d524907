/** What a session needs of the world it runs in. */
import type { Shell } from '#shared/bridge/bridge.ts';
import type { Account, Conversation } from '#shared/bridge/models/client.ts';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import type { NotificationLogRecord, SoundName } from '#shared/bridge/models/notifications.ts';
import type { Preferences } from '#shared/bridge/models/preferences.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Badge } from '#shared/policies/unread-counts.ts';
import type { Cache } from './cache/port.ts';
import type { ProbeResult } from './diagnostics/facts.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';
import type { LostMessageStore } from './session/lost-store.ts';
import type { UploadStore } from './uploads/upload-store.ts';

export interface HttpRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of a form with files; its header says where the parts end. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** Told how much of the body was sent: 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /**
   * Takes the body of an answer with status 200 as it comes; its text is empty then. Nothing more is read until what it
   * returns settles.
   */
  readonly onText?: (piece: string) => Promise<void> | undefined;
  /** Connections of before may be dead: this one goes over a new one, and so does what comes after it. */
  readonly isProbe?: boolean;
  /** The fingerprint of the office that has to answer, where it is known: nobody else gets a byte of the request. */
  readonly fingerprint?: string;
  /** Aborting settles the request with a rejection. */
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** The body, decoded as UTF-8. */
  readonly text: string;
}

/** Who answers at an address, before anything is said to them. */
export interface IdentifiedServer {
  /** Whether this system trusts their certificate for that address. */
  readonly isTrusted: boolean;
  /** The fingerprint of the office that they are, or say that they are where they are not trusted; null where they are none. */
  readonly fingerprint: string | null;
}

/** What an office says of the key by which it goes on once its own is stolen (API decisions 15.16). */
export interface NextKeyNotice {
  readonly pin: string;
  readonly office_key: string;
  readonly signature: string;
}

/** How offices are told apart by their keys. */
export interface ServerIdentityPort {
  /** Whether the office of this fingerprint has said so. */
  readonly isValidNextKeyNotice: (pin: string, notice: NextKeyNotice) => boolean;
  /** Null where nobody answers there over TLS. */
  readonly identify: (origin: string, signal: AbortSignal) => Promise<IdentifiedServer | null>;
  /** The safety words of an office. */
  readonly wordsOf: (pin: string) => Promise<string>;
  /** Words of no office. */
  readonly decoyWords: () => string;
}

/** What the network of this computer tells of an address, for finding out why nothing comes of a connection. */
export interface ConnectionProbePort {
  /** The program and the system that it runs on. */
  readonly about: string;
  /** Such as 192.168.1.0/24. */
  readonly networks: () => readonly string[];
  /** Settles within seconds, whatever is there; nothing of an account is told to it. */
  readonly probe: (origin: string) => Promise<ProbeResult>;
}

/** An office that tells of itself in a network. Anybody may say that they are one. */
export interface DiscoveredService {
  /** What the organization is said to be called. */
  readonly name: string;
  /** The beginning of the fingerprint. */
  readonly fingerprintStart: string;
  /** Origins at which it is said to be. */
  readonly addresses: readonly string[];
}

/** How offices are found in the networks of this computer. It gives addresses, never trust. */
export interface DiscoveryPort {
  /**
   * Listens from now on, and asks; returns the function that ends the listening.
   * @param heard  with the address of the sender
   */
  readonly listen: (heard: (office: DiscoveredService, sender: string) => void) => () => void;
  /** Asks again; those who listen hear the answers. */
  readonly ask: () => void;
}

export interface HttpFileRequest extends Omit<
  HttpRequest,
  'body' | 'onProgress' | 'onText' | 'isProbe'
> {
  /** A longer body is not read to its end. */
  readonly maxBytes: number;
  /**
   * Takes the body of an answer with status 200 or 206 as it comes, packed by nothing; its bytes are empty then. Nothing more is
   * read until what it returns settles; what it was given is gone then.
   */
  readonly onBytes?: (bytes: Uint8Array, about: BodyFacts) => Promise<void>;
}

export interface BodyFacts {
  /** It is what a range asked for. */
  readonly isPart: boolean;
  /** Of all of the file; null where the service does not say that. */
  readonly totalBytes: number | null;
}

/** The same for a file: its bytes. */
export interface HttpFile {
  readonly status: number;
  /** As the header says; empty where there is none. */
  readonly type: string;
  /** Null where there are more than were asked for. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/** Rejects only when no answer came. A redirect is not followed. */
export type HttpFetchFile = (request: HttpFileRequest) => Promise<HttpFile>;

/**
 * Rejects only when no answer came: refused, unreachable, aborted; with the code OTHER_OFFICE where somebody answers who
 * is not the office of the fingerprint. Any status is an answer.
 */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Where API keys are kept: the OS keychain, or storage of the browser. Rejects where there is none; an
 * error with the code NO_KEYCHAIN says in its message what to do.
 */
export interface KeyStore {
  readonly find: (accountId: string) => Promise<string | undefined>;
  readonly save: (accountId: string, key: string) => Promise<void>;
  readonly remove: (accountId: string) => Promise<void>;
}

/** Where the list of joined accounts is kept. It holds no secret. */
export interface AccountStore {
  readonly list: () => Promise<readonly Account[]>;
  readonly save: (accounts: readonly Account[]) => Promise<void>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after the delay, or at once when the signal aborts; never rejects. */
  readonly wait: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** 0 (inclusive) to 1 (exclusive), for jitter. */
  readonly random: () => number;
}

/** A native notification. It replaces an earlier one of the same account and tag. */
export interface Notice {
  readonly tag: string;
  readonly title: string;
  /** Plain text, of one or two lines. */
  readonly body: string;
  readonly accountId: string;
  readonly conversation: Conversation;
  /** The message that a click leads to. */
  readonly messageId: number;
}

/** How the person is reached outside of the window. Nothing of it rejects or throws: what fails is logged there. */
export interface Attention {
  /** The window is in front and has the keyboard; somebody need not be there. */
  readonly isWindowFocused: () => boolean;
  /**
   * When whoever is at this computer came, in milliseconds since 1970; 0 as long as nobody is known to have left, null while
   * nobody is there.
   */
  readonly activeSinceMs: () => number | null;
  /** Whether the system, or the browser, lets notifications through. */
  readonly canNotify: () => boolean;
  /** Shows it without a sound. */
  readonly notify: (notice: Notice) => void;
  /** Takes it off the screen and out of the system's list, where it is still there. */
  readonly withdraw: (accountId: string, tag: string) => void;
  readonly playSound: (sound: SoundName) => void;
  /** On the application's icon and in the tray, as far as the system has them. */
  readonly setBadge: (badge: Badge) => void;
}

/** Where it is kept what was decided about messages. */
export interface NotificationLogStore {
  /** Null where there is nothing yet. Rejects where it cannot be read. */
  readonly load: () => Promise<NotificationLogRecord | null>;
  /** Settles when it would survive a crash. */
  readonly save: (record: NotificationLogRecord) => Promise<void>;
}

export interface DeviceName {
  readonly name: string;
  /** The program. */
  readonly client: string;
}

export interface StartedHost {
  /** Its origin. */
  readonly address: string;
  /** With which its organization is created; absent where that is not known here. */
  readonly setupCode?: string;
}

/** The service that this computer can run. */
export interface HostPort {
  /** Starts it unless it runs. The failure's sentence says what to do. */
  readonly start: () => Promise<Outcome<StartedHost>>;
}

/** What becomes of the service that this computer runs. */
export interface HostingPort {
  readonly status: () => HostingStatus;
  /** Told of every change; returns the function that ends the listening. */
  readonly onStatus: (listener: (status: HostingStatus) => void) => () => void;
}

/** Where an account's data is kept on this computer. */
export interface AccountStorage {
  /** Opens it; one that is damaged is moved aside and made anew, which `problem` then says. */
  readonly openCache: (accountId: string) => {
    readonly cache: Cache;
    readonly problem: string | null;
  };
  readonly openOutbox: (accountId: string) => {
    readonly outbox: OutboxStore;
    readonly problem: string | null;
  };
  /** Absent where nothing outlives the program: in a browser. */
  readonly openLost?: (accountId: string) => LostMessageStore;
  /** Absent where nothing outlives the program: in a browser. */
  readonly openUploads?: (accountId: string) => UploadStore;
  /** Removes all that is kept of an account. */
  readonly remove: (accountId: string) => Promise<void>;
}

/** A file of which a part is read at a time. */
export interface FileSource {
  readonly sizeBytes: number;
  /** The same as long as the file has not changed. */
  readonly version: string;
  /** Fails where the file is gone, or another one by now. The bytes are good until the next ones are read. */
  readonly read: (from: number, to: number) => Promise<Outcome<Uint8Array<ArrayBuffer>>>;
  readonly close: () => Promise<void>;
}

/** Files that a window handed over to be uploaded, by the ids of the uploads. */
export interface HeldFiles {
  /** UPLOAD_GONE where nobody knows of it. */
  readonly open: (uploadId: string) => Promise<Outcome<FileSource>>;
  /** Nobody wants to send it any more. */
  readonly release: (uploadId: string) => void;
}

/** A file that is being written. */
export interface FileTarget {
  /** Rejects where it cannot be written. The bytes are the caller's again when it settles. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** On disk, under its name. */
  readonly finish: () => Promise<void>;
  /** Nothing is left of it. */
  readonly remove: () => Promise<void>;
}

/** Where a person saves files. */
export interface SavePort {
  /** Asks for a place, outside of the page; null where they choose none. @param name  that the file has so far */
  readonly choose: (name: string) => Promise<FileTarget | null>;
}

/** A folder that is being filled. */
export interface ExportFolder {
  /** @param path  with `/` between folders. Rejects where it cannot be written. */
  readonly write: (path: string, content: string) => Promise<void>;
  /** The same for one that comes piece by piece. */
  readonly create: (path: string) => Promise<FileTarget>;
  /** On disk, under its name: its path. */
  readonly finish: () => Promise<string>;
  /** Nothing is left of it. */
  readonly remove: () => Promise<void>;
}

/** Where a person exports what is theirs. */
export interface ExportPort {
  /** Asks for a place, outside of the page; null where they choose none. @param name  of the new folder there, in part */
  readonly choose: (name: string) => Promise<ExportFolder | null>;
}

export interface ClientPorts {
  readonly http: Http;
  readonly fetchFile: HttpFetchFile;
  /** Absent where the program around this one decides whom to trust: in a browser. */
  readonly serverIdentity?: ServerIdentityPort;
  /** Absent where nothing can be heard: in a browser. */
  readonly discovery?: DiscoveryPort;
  /** Absent where nothing but an answer, or none, can be seen: in a browser. */
  readonly connectionProbe?: ConnectionProbePort;
  readonly storage: AccountStorage;
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly attention: Attention;
  readonly notificationLog: NotificationLogStore;
  /** Choices of this computer, as they are now. */
  readonly choices: () => Pick<
    Preferences,
    'doNotDisturbUntilSeconds' | 'notificationSound' | 'isFillPaused' | 'cacheLimitMiB'
  >;
  /** Opens a link outside of the application. Its scheme is checked already. */
  readonly openLink: (url: string) => Promise<void>;
  readonly describeShell: () => Promise<Shell>;
  /** How a service lists this device where it is signed in; absent, by the program alone. */
  readonly device?: DeviceName;
  /** Absent where there is nobody who saves any. */
  readonly saving?: SavePort;
  /** Absent where there is no window that hands any over. */
  readonly heldFiles?: HeldFiles;
  /** Absent where there are no folders: in a browser. */
  readonly exportFolders?: ExportPort;
  /** Absent where nothing can be hosted. */
  readonly host?: HostPort;
  /** Absent where the service that can be created does not run in this program: in a browser. */
  readonly hosting?: HostingPort;
}
