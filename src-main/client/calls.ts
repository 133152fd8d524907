/** What a client answers: every call of the bridge, and what only the shell around a window may ask of it. */
import type { Bridge, BridgeCalls, ShellCalls } from '../contract/bridge.ts';
import type { Conversation, UploadRequest } from '../contract/models/client.ts';
import type { Outcome } from '../contract/outcome.ts';
import type {
  FileRequestName,
  RequestArguments,
  RequestName,
  RequestResult,
} from '../contract/requestable.ts';

type OfSession<T> = {
  readonly [K in keyof T]: T[K] extends (accountId: string, ...rest: infer A) => infer R
    ? (...rest: A) => R
    : never;
};

/** The calls that one session answers; `state` waits for the first snapshot while the session is connecting. */
export type SessionCalls = OfSession<
  Pick<
    BridgeCalls,
    | 'state'
    | 'messages'
    | 'recent'
    | 'sendMessage'
    | 'retryMessage'
    | 'takeMessageBack'
    | 'saveDraft'
    | 'markRead'
    | 'markUnreadFrom'
    | 'star'
    | 'source'
    | 'topics'
    | 'allTopics'
    | 'createStream'
    | 'createPerson'
    | 'upload'
    | 'leaveUploads'
    | 'takeUploads'
    | 'uploadOutcome'
    | 'retryUpload'
    | 'file'
    | 'cacheStatus'
    | 'clearCache'
  >
> &
  PassThrough;

/** The calls that are the API's own. */
export interface PassThrough {
  readonly request: <N extends RequestName>(
    name: N,
    args: RequestArguments<N>,
  ) => Promise<Outcome<RequestResult<N>>>;
  readonly requestWithFile: <N extends FileRequestName>(
    name: N,
    args: RequestArguments<N>,
    file: UploadRequest,
  ) => Promise<Outcome<RequestResult<N>>>;
}

export interface Client extends Omit<Bridge, keyof ShellCalls> {
  /** The network came back or the computer woke: every session asks its service at once. */
  readonly wake: () => void;
  /** The window got the focus: what it shows is no longer unread. */
  readonly attend: () => void;
  /** A notification was clicked. */
  readonly openConversation: (
    accountId: string,
    conversation: Conversation,
    messageId: number | null,
  ) => void;
  /** A choice that belongs to this computer changed. */
  readonly reconsider: () => void;
  /** Files that are only here, which a person who quits now would have to attach again. */
  readonly countUnarrivedUploads: () => number;
  /** Ends every session; settles when their queues are deleted, or could not be in a short time. */
  readonly stop: () => Promise<void>;
}
