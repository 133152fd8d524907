/**
 * What a window can ask of a client and what it is told. The bridge has the same shape; the shells that join the
 * two assign one to the other, so a difference does not compile.
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
} from '../contract/models/client.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { Shell } from './ports.ts';

export interface Problem {
  readonly code: string;
  readonly message: string;
}

export interface ClientStart extends Shell {
  readonly accounts: readonly Account[];
  /** Why an account that should be here could not be opened. */
  readonly problem: Problem | null;
}

/** The calls of one session. */
export interface SessionCalls {
  /** Waits for the first snapshot while the session is connecting. */
  readonly realm: () => Promise<Outcome<RealmState>>;
  readonly messages: (request: MessagePageRequest) => Promise<Outcome<MessagePage>>;
  readonly sendMessage: (draft: Draft) => Promise<Outcome<number>>;
  readonly topics: (streamId: number) => Promise<Outcome<readonly string[]>>;
  readonly createStream: (stream: NewStream) => Promise<Outcome<string>>;
  readonly createPerson: (person: NewPerson) => Promise<Outcome<number>>;
}

type OfAccount<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (accountId: string, ...args: A) => R
    : never;
};

export interface ClientCalls extends OfAccount<SessionCalls> {
  /** Opens the stored accounts the first time; later calls tell the same. */
  readonly start: () => Promise<Outcome<ClientStart>>;
  readonly retryStart: () => Promise<Outcome<ClientStart>>;
  readonly hostOrganization: (request: HostRequest) => Promise<Outcome<Account>>;
  readonly connect: (request: ConnectRequest) => Promise<Outcome<Account>>;
  readonly signOut: (accountId: string) => Promise<Outcome<null>>;
  readonly connection: (accountId: string) => Promise<Outcome<Connection>>;
  readonly showView: (accountId: string, view: View | null) => Promise<Outcome<null>>;
  readonly openLink: (url: string) => Promise<Outcome<null>>;
}

export interface ClientEvents {
  readonly messageArrived: { readonly accountId: string; readonly message: ShownMessage };
  readonly realmChanged: { readonly accountId: string; readonly realm: RealmState };
  readonly connectionChanged: { readonly accountId: string; readonly connection: Connection };
  readonly messagesReset: { readonly accountId: string };
  readonly conversationOpened: { readonly accountId: string; readonly conversation: Conversation };
}

export interface Client extends ClientCalls {
  /** Returns the function that ends the listening. */
  readonly on: <E extends keyof ClientEvents>(
    event: E,
    listener: (payload: ClientEvents[E]) => void,
  ) => () => void;
  /** The network came back or the computer woke: every session asks its service at once. */
  readonly wake: () => void;
  /** The window got the focus: what it shows is no longer unread. */
  readonly attend: () => void;
  /** A notification was clicked. */
  readonly openConversation: (accountId: string, conversation: Conversation) => void;
  /** Ends every session; settles when their queues are deleted, or could not be in a short time. */
  readonly stop: () => Promise<void>;
}
