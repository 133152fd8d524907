/** Unread messages of a session: those that arrived since it started and were not shown. */
import type { Conversation, ShownMessage, View } from '../contract/models/client.ts';
import { conversationKey, isInView } from '../contract/models/client.ts';

interface Entry {
  readonly conversation: Conversation;
  readonly count: number;
}

export interface Unread {
  readonly counts: () => Readonly<Record<string, number>>;
  /** Whether the counts changed. */
  readonly add: (message: ShownMessage) => boolean;
  /** What the window shows from now on, which is read by that. Whether the counts changed. */
  readonly show: (view: View | null) => boolean;
  /** What the window shows is looked at again. Whether the counts changed. */
  readonly attend: () => boolean;
}

export function createUnread(isWindowFocused: () => boolean): Unread {
  const entries = new Map<string, Entry>();
  let shown: View | null = null;

  const isShown = (conversation: Conversation): boolean =>
    shown !== null && isInView(conversation, shown);

  const clearShown = (): boolean => {
    const before = entries.size;
    for (const [key, { conversation }] of entries) {
      if (isShown(conversation)) entries.delete(key);
    }
    return entries.size !== before;
  };

  return {
    counts: () => Object.fromEntries([...entries].map(([key, { count }]) => [key, count])),
    add: ({ conversation, isOwn, isRead }) => {
      if (isOwn || isRead || (isWindowFocused() && isShown(conversation))) return false;
      const key = conversationKey(conversation);
      entries.set(key, { conversation, count: (entries.get(key)?.count ?? 0) + 1 });
      return true;
    },
    show: (view) => {
      shown = view;
      return clearShown();
    },
    attend: clearShown,
  };
}
