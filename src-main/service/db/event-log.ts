/** The event log as the parts of the service share it (architecture 4). */

/** Who may be told of an event. */
export type Audience =
  /** Every account of the organization. */
  | { readonly kind: 'realm' }
  /** Every account that is not a guest. */
  | {
      readonly kind: 'members';
      readonly exceptUserId?: number;
      /** Guests that are told all the same: the subscribers among them of a public stream. */
      readonly alsoUserIds?: readonly number[];
    }
  /** Every account that is not a bot. */
  | { readonly kind: 'people' }
  | { readonly kind: 'users'; readonly userIds: readonly number[] }
  /** Whoever holds the message: a member of the recipient when it was sent. */
  | {
      readonly kind: 'holders';
      readonly recipientId: number;
      readonly messageId: number;
      /** The stream, when the message is in a public one: queues may listen to all of those. */
      readonly publicStreamId: number | null;
      /** Accounts that hold a copy for another reason, or have to know for one. */
      readonly alsoUserIds?: readonly number[];
      /** Accounts that hold it, and lost access to the stream before this happened. */
      readonly exceptUserIds?: readonly number[];
    };

/** A committed event, in the order of commits. */
export interface LoggedEvent {
  readonly id: number;
  readonly type: string;
  readonly audience: Audience;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Only just after the commit: what listeners would otherwise have to read. It is stored and kept nowhere. */
  readonly attached?: unknown;
}
