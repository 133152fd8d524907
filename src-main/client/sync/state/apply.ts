/** The state after what the event queue tells (API decisions 8.2 and 8.3). */
import { type AnyChange, type Changes, type EventContext, onEvent } from './event.ts';
import {
  DeleteMessageEvent,
  FlagsEvent,
  flagsChanged,
  isNewestUnknown,
  messageCame,
  MessageEvent,
  messagesChanged,
  messagesDeleted,
  UpdateMessageEvent,
} from './message-events.ts';
import { ownPerson, peopleChanges } from './people-events.ts';
import {
  presenceChanged,
  PresenceEvent,
  statusChanged,
  StatusEvent,
  typingChanged,
  TypingEvent,
} from './presence.ts';
import type { SessionState } from './session-state.ts';
import { settingsChanges } from './settings-events.ts';
import { streamChanges } from './stream-events.ts';
import { partChanges } from './told-parts.ts';

export type { EventContext } from './event.ts';
export { expireTyping } from './presence.ts';

const changes: Changes = {
  message: onEvent(MessageEvent, messageCame),
  update_message: onEvent(UpdateMessageEvent, messagesChanged),
  delete_message: onEvent(DeleteMessageEvent, messagesDeleted),
  update_message_flags: onEvent(FlagsEvent, flagsChanged),
  presence: onEvent(PresenceEvent, presenceChanged),
  user_status: onEvent(StatusEvent, statusChanged),
  typing: onEvent(TypingEvent, (state, event, { nowSeconds }) =>
    typingChanged(state, event, nowSeconds),
  ),
  ...streamChanges,
  ...peopleChanges,
  ...settingsChanges,
  ...partChanges,
};
const changesByType: ReadonlyMap<string, AnyChange> = new Map<string, AnyChange>(
  Object.entries(changes),
);

/** The state after an event; the same object where it says nothing new, is unknown or malformed. */
export function applyEvent(
  state: SessionState,
  event: unknown,
  context: EventContext,
): SessionState {
  if (typeof event !== 'object' || event === null || !('type' in event)) return state;
  const change = typeof event.type === 'string' ? changesByType.get(event.type) : undefined;
  return change?.(state, event, context) ?? state;
}

/** Settings that hold for every stream without one of its own; events tell of the setting, not of the streams. */
const followed = [
  'enable_stream_desktop_notifications',
  'enable_stream_audible_notifications',
  'enable_stream_push_notifications',
  'enable_stream_email_notifications',
] as const;

/**
 * Whether the service would now tell things that no event has told, so that it has to be asked anew: another role shows
 * other streams and bots, in a stream that was joined again there may be unread messages of the time before, and which
 * message of a private conversation is the newest may not be known here once that was deleted.
 */
export function needsSnapshot(
  before: SessionState,
  after: SessionState,
  events: readonly unknown[],
): boolean {
  if (isNewestUnknown(after, events)) return true;
  const [old, own] = [ownPerson(before), ownPerson(after)];
  if (old?.isAdmin !== own?.isAdmin || old?.isGuest !== own?.isGuest) return true;
  if (followed.some((name) => before.notifications[name] !== after.notifications[name]))
    return true;
  if (before.streams === after.streams) return false;
  const known = new Set(before.streams.map(({ streamId }) => streamId));
  const former = new Set(before.formerStreamIds);
  const seen = new Set(before.otherStreams.map(({ streamId }) => streamId));
  return after.streams.some(
    ({ streamId, firstMessageId }) =>
      !known.has(streamId) &&
      firstMessageId !== null &&
      (former.has(streamId) || !seen.has(streamId)),
  );
}
