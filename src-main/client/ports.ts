/** What a session needs of the world it runs in. */
import type { Shell } from '../contract/bridge.ts';
import type { Account, Conversation } from '../contract/models/client.ts';
import type { Outcome } from '../contract/outcome.ts';

export interface HttpRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Aborting settles the request with a rejection. */
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly text: string;
}

/** Rejects only when no answer came: refused, unreachable, aborted. Any status is an answer. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Where API keys are kept: the OS keychain, or the browser tab's own storage. Rejects where there is none; an
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

/** A native notification. It replaces an earlier one of the same tag. */
export interface Notice {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly accountId: string;
  readonly conversation: Conversation;
}

export interface Attention {
  /** Whether the person is looking: the window is focused. */
  readonly isWindowFocused: () => boolean;
  readonly notify: (notice: Notice) => void;
}

/** The service that this computer can run. */
export interface HostPort {
  /** Starts it unless it runs: its origin. The failure's sentence says what to do. */
  readonly start: () => Promise<Outcome<{ readonly address: string }>>;
}

export interface ClientPorts {
  readonly http: Http;
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly attention: Attention;
  /** Opens a link outside of the application. Its scheme is checked already. */
  readonly openLink: (url: string) => Promise<void>;
  readonly describeShell: () => Promise<Shell>;
  /** Absent where nothing can be hosted. */
  readonly host?: HostPort;
}
