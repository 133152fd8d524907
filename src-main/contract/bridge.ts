/**
 * The contract between a window and what runs its sessions: the main process in the desktop application, the
 * page itself in a browser, a double in tests. Keys and passwords' derivatives never cross it.
 */
import type {
  Account,
  ConnectRequest,
  Connection,
  Conversation,
  Draft,
  HostRequest,
  MessagePage,
  MessagePageRequest,
  NewPerson,
  NewStream,
  RealmState,
  ShownMessage,
  View,
} from './models/client.ts';
import type { Outcome } from './outcome.ts';

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

/** Every call settles with an Outcome; it rejects only on a bug. */
export interface BridgeCalls {
  readonly start: () => Promise<Outcome<StartState>>;
  /** Tries again what `StartState.problem` reports. */
  readonly retryStart: () => Promise<Outcome<StartState>>;
  /** Creates an organization on this computer, starts its service and signs in. */
  readonly hostOrganization: (request: HostRequest) => Promise<Outcome<Account>>;
  /** Signs in to an existing organization. */
  readonly connect: (request: ConnectRequest) => Promise<Outcome<Account>>;
  /** Forgets the account and its key on this computer; nothing on the service changes. */
  readonly signOut: (accountId: string) => Promise<Outcome<null>>;
  readonly realm: (accountId: string) => Promise<Outcome<RealmState>>;
  readonly connection: (accountId: string) => Promise<Outcome<Connection>>;
  readonly messages: (
    accountId: string,
    request: MessagePageRequest,
  ) => Promise<Outcome<MessagePage>>;
  /** Settles when the service has the message on disk: its id. */
  readonly sendMessage: (accountId: string, draft: Draft) => Promise<Outcome<number>>;
  /** Topic names of a stream, newest first. */
  readonly topics: (accountId: string, streamId: number) => Promise<Outcome<readonly string[]>>;
  /** Creates a stream and subscribes the caller and the given people: its name. */
  readonly createStream: (accountId: string, stream: NewStream) => Promise<Outcome<string>>;
  /** Creates an account for a colleague (administrators): its user id. */
  readonly createPerson: (accountId: string, person: NewPerson) => Promise<Outcome<number>>;
  /** What the window shows, so that its messages need no notification; null for none. */
  readonly showView: (accountId: string, view: View | null) => Promise<Outcome<null>>;
  /** Opens a link of a message outside of the application, after a check of its scheme. */
  readonly openLink: (url: string) => Promise<Outcome<null>>;
}

export interface BridgeEvents {
  readonly messageArrived: { readonly accountId: string; readonly message: ShownMessage };
  readonly realmChanged: { readonly accountId: string; readonly realm: RealmState };
  readonly connectionChanged: { readonly accountId: string; readonly connection: Connection };
  /** The session lost its place in the event log; what is shown has to be fetched anew. */
  readonly messagesReset: { readonly accountId: string };
  /** A notification was clicked: go there. */
  readonly conversationOpened: { readonly accountId: string; readonly conversation: Conversation };
}

export interface Bridge extends BridgeCalls {
  /** Returns the function that ends the listening. */
  readonly on: <E extends keyof BridgeEvents>(
    event: E,
    listener: (payload: BridgeEvents[E]) => void,
  ) => () => void;
}
