import type { Conversation, ShownMessage, View } from '#shared/bridge/models/client.ts';
import type { ListShortcutId } from '#renderer/lib/keys.ts';
import { isSameView } from '#renderer/state/places/places.ts';
import type { Workspace } from '#renderer/state/workspace.ts';

const TWICE_MS = 600;

export interface ListCommands {
  readonly view: () => View;
  /** The message that has the focus. */
  readonly active: () => ShownMessage | undefined;
  readonly step: (by: number) => void;
  readonly page: (by: -1 | 1) => void;
  readonly focusFirstUnread: () => void;
  readonly openMenu: (message: ShownMessage) => void;
  readonly rowOf: (id: number) => HTMLElement | null;
}

type Run = (message: ShownMessage) => unknown;

/** From wherever to the topic, and from the topic to the whole stream. */
const otherBreadth = (view: View, conversation: Conversation): View =>
  conversation.kind === 'stream' && isSameView(view, conversation)
    ? { ...conversation, topic: null }
    : conversation;

/** The reader's own way down: what is passed on it is read. */
export function goToNewest({ timeline, reading }: Pick<Workspace, 'timeline' | 'reading'>): void {
  reading.scroll();
  void timeline.showNewest();
}

/** What the keys of the message list do. @returns of a key, whether it did anything */
export function listActions(
  workspace: Workspace,
  list: ListCommands,
): (id: ListShortcutId, event: KeyboardEvent) => boolean {
  const { timeline, navigation, actions, cards } = workspace;
  let lastEscapeMs = -Infinity;

  function leave(): boolean {
    const now = performance.now();
    const isTwice = now - lastEscapeMs < TWICE_MS;
    lastEscapeMs = isTwice ? -Infinity : now;
    if (isTwice) void actions.markViewRead(list.view());
    return isTwice;
  }

  const anchored = (run: (message: ShownMessage, row: HTMLElement) => void): Run => {
    return (message) => {
      const row = list.rowOf(message.id);
      if (row !== null) run(message, row);
    };
  };

  const moves: Readonly<Partial<Record<ListShortcutId, () => unknown>>> = {
    nextMessage: () => list.step(1),
    previousMessage: () => list.step(-1),
    pageDown: () => list.page(1),
    pageUp: () => list.page(-1),
    firstUnread: list.focusFirstUnread,
    firstMessage: () => void timeline.showOldest(),
    newestMessage: () => goToNewest(workspace),
  };

  const runs: Readonly<Partial<Record<ListShortcutId, Run>>> = {
    reply: (message) => actions.reply(message),
    quote: (message) => actions.quote(message),
    replyPrivately: (message) => actions.replyPrivately(message),
    mentionSender: (message) => actions.mention(message),
    openTopic: ({ conversation }) => navigation.go(otherBreadth(list.view(), conversation)),
    openConversation: ({ conversation }) => navigation.go(conversation),
    openInContext: ({ conversation, id }) => navigation.go(conversation, id),
    edit: (message) => actions.edit(message),
    react: anchored((message, row) => actions.chooseEmoji(message.id, row)),
    thumbsUp: (message) => actions.thumbsUp(message),
    repeatReaction: (message) => actions.repeatReaction(message),
    star: (message) => actions.toggleStar(message),
    muteTopic: ({ conversation }) => actions.toggleTopicMute(conversation),
    markUnread: (message) => actions.markUnreadFrom(message),
    history: (message) => {
      if (actions.rightsOf(message).canSeeHistory) actions.openDialog('history', message);
    },
    senderCard: anchored((message, row) => cards.open(message.senderId, row)),
    menu: (message) => list.openMenu(message),
  };

  /** Among results Enter opens one where it was written; answering has a key of its own. */
  const meant = (id: ListShortcutId, { key }: KeyboardEvent): ListShortcutId =>
    id === 'reply' && key === 'Enter' && list.view().kind === 'search' ? 'openInContext' : id;

  return (id, event) => {
    if (id === 'markRead') return leave();
    const move = moves[id];
    const message = list.active();
    if (move !== undefined) move();
    else if (message !== undefined) void runs[meant(id, event)]?.(message);
    return true;
  };
}
