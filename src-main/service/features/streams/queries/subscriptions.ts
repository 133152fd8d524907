/** Ending subscriptions, and what each account sets for its own ones. */
import { loseAccess } from './access.ts';
import { type Operation, run } from '#service/db/operation.ts';
import type { StreamRow } from './streams.ts';

const END = `UPDATE membership SET until_id = (SELECT id FROM newest_message)
  WHERE recipient_id = :recipientId AND account_id = :userId AND until_id IS NULL`;

/** Columns of a stream's personal settings. */
export type SubscriptionColumn =
  | 'color'
  | 'is_muted'
  | 'is_pinned'
  | 'desktop_notifications'
  | 'audible_notifications'
  | 'push_notifications'
  | 'email_notifications';

const SET: Readonly<Record<SubscriptionColumn, string>> = {
  color: 'color = :value',
  is_muted: 'is_muted = :value',
  is_pinned: 'is_pinned = :value',
  desktop_notifications: 'desktop_notifications = :value',
  audible_notifications: 'audible_notifications = :value',
  push_notifications: 'push_notifications = :value',
  email_notifications: 'email_notifications = :value',
};

export const subscriptionWrites = {
  /**
   * Ends a subscription with the newest message there is; answers false where there is none. What the account held it
   * keeps; its settings of the stream stay for another time.
   */
  *leaveStream(stream: StreamRow, userId: number): Operation<boolean> {
    const { recipient_id: recipientId } = stream;
    if ((yield* run(END, { recipientId, userId })) === 0) return false;
    yield* loseAccess(recipientId, userId);
    return true;
  },
  /** Sets one of an account's own settings of a stream. */
  *setSubscription(
    place: { readonly userId: number; readonly streamId: number },
    column: SubscriptionColumn,
    value: string | number,
  ): Operation<void> {
    yield* run(
      `UPDATE stream_setting SET ${SET[column]} WHERE account_id = :userId AND stream_id = :streamId`,
      { ...place, value },
    );
  },
};
