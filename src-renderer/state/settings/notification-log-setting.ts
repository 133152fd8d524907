import type { DecisionReason, NotificationLogEntry } from '#shared/bridge/models/notifications.ts';

/** Where the choice stands that decided: a control of the notification settings, or a stream's own settings. */
export type DecidingSetting =
  | { readonly kind: 'setting'; readonly name: string }
  | { readonly kind: 'stream'; readonly streamId: number };

const forReader: readonly DecisionReason[] = [
  'private-on',
  'private-off',
  'mention-on',
  'mention-off',
  'wildcard-on',
  'wildcard-off',
  'alert-word-on',
  'alert-word-off',
];
const ofStream: readonly DecisionReason[] = [
  'muted-stream',
  'muted-topic',
  'not-subscribed',
  'stream-on',
  'stream-off',
];

function nameOf(reason: DecisionReason, isSound: boolean): string | null {
  if (forReader.includes(reason)) {
    return isSound ? 'enable_sounds' : 'enable_desktop_notifications';
  }
  if (reason === 'streams-on' || reason === 'streams-off') {
    return isSound ? 'enable_stream_audible_notifications' : 'enable_stream_desktop_notifications';
  }
  if (reason === 'wildcard-ignored') return 'wildcard_mentions_notify';
  return reason === 'do-not-disturb' ? 'do-not-disturb' : null;
}

/** Null where a fact decided, and no setting. */
export function decidingSetting(
  { conversation, desktopReason, soundReason }: NotificationLogEntry,
  channel: 'desktop' | 'sound',
): DecidingSetting | null {
  const reason = channel === 'desktop' ? desktopReason : soundReason;
  if (ofStream.includes(reason)) {
    const { kind } = conversation;
    return kind === 'stream' ? { kind: 'stream', streamId: conversation.streamId } : null;
  }
  const name = nameOf(reason, channel === 'sound');
  return name === null ? null : { kind: 'setting', name };
}
