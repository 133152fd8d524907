/** What a client answers: every call of the bridge, and what only the shell around a window may ask of it. */
import type { Bridge, BridgeCalls } from '../contract/bridge.ts';
import type { Conversation } from '../contract/models/client.ts';

type OfSession<T> = {
  readonly [K in keyof T]: T[K] extends (accountId: string, ...rest: infer A) => infer R
    ? (...rest: A) => R
    : never;
};

/** The calls that one session answers; `realm` waits for the first snapshot while the session is connecting. */
export type SessionCalls = OfSession<
  Pick<
    BridgeCalls,
    'realm' | 'messages' | 'sendMessage' | 'topics' | 'createStream' | 'createPerson'
  >
>;

export interface Client extends Bridge {
  /** The network came back or the computer woke: every session asks its service at once. */
  readonly wake: () => void;
  /** The window got the focus: what it shows is no longer unread. */
  readonly attend: () => void;
  /** A notification was clicked. */
  readonly openConversation: (accountId: string, conversation: Conversation) => void;
  /** Ends every session; settles when their queues are deleted, or could not be in a short time. */
  readonly stop: () => Promise<void>;
}
