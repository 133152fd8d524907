import {
  ArrowRightLeft,
  BellOff,
  Code,
  Copy,
  Eye,
  History,
  Link,
  Mail,
  Pencil,
  Quote,
  Reply,
  SmilePlus,
  Star,
  Trash2,
} from 'lucide';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { ListShortcutId } from '#renderer/lib/keys.ts';
import type { MessageActions } from '#renderer/state/messages/message-actions.svelte.ts';
import { timelineWords as text } from '#renderer/i18n/timeline.ts';
import type { MenuItem } from '#renderer/ui/lists/menu.ts';

export interface MessageMenuItem extends Omit<MenuItem, 'key'> {
  /** What does the same without the menu. */
  readonly keys?: ListShortcutId;
}

const only = (isOffered: boolean, item: MessageMenuItem): readonly MessageMenuItem[] =>
  isOffered ? [item] : [];

const answering = (message: ShownMessage, actions: MessageActions): readonly MessageMenuItem[] => [
  { label: text.reply, icon: Reply, run: () => actions.reply(message), keys: 'reply' },
  { label: text.quote, icon: Quote, run: () => actions.quote(message), keys: 'quote' },
  ...only(!message.isOwn, {
    label: text.replyPrivately,
    icon: Mail,
    run: () => actions.replyPrivately(message),
    keys: 'replyPrivately',
  }),
];

function keeping(message: ShownMessage, actions: MessageActions): readonly MessageMenuItem[] {
  const { conversation, isStarred } = message;
  const isMuted = actions.isTopicMuted(conversation);
  return [
    { label: text.copyText, icon: Copy, run: () => actions.copyText(message) },
    { label: text.copyLink, icon: Link, run: () => actions.copyLink(message) },
    {
      label: isStarred ? text.unstar : text.star,
      icon: Star,
      run: () => actions.toggleStar(message),
      keys: 'star',
    },
    {
      label: text.markUnread,
      icon: Eye,
      run: () => actions.markUnreadFrom(message),
      keys: 'markUnread',
    },
    ...only(conversation.kind === 'stream', {
      label: isMuted ? text.unmuteTopic : text.muteTopic,
      icon: BellOff,
      run: () => actions.toggleTopicMute(conversation),
      keys: 'muteTopic',
    }),
  ];
}

function changing(message: ShownMessage, actions: MessageActions): readonly MessageMenuItem[] {
  const rights = actions.rightsOf(message);
  return [
    ...only(rights.canEditContent, {
      label: text.edit,
      icon: Pencil,
      run: () => actions.edit(message),
      keys: 'edit',
    }),
    ...only(rights.canEditTopic, {
      label: text.move,
      icon: ArrowRightLeft,
      run: () => actions.openDialog('move', message),
    }),
    { label: text.viewSource, icon: Code, run: () => actions.openDialog('source', message) },
    ...only(rights.canSeeHistory, {
      label: text.viewHistory,
      icon: History,
      run: () => actions.openDialog('history', message),
      keys: 'history',
    }),
    ...only(rights.canDelete, {
      label: text.remove,
      icon: Trash2,
      run: () => actions.openDialog('delete', message),
      isDangerous: true,
    }),
  ];
}

/** Only what is permitted, in groups. @param react  opens the choice of an emoji */
export const menuItems = (
  message: ShownMessage,
  actions: MessageActions,
  react: () => void,
): readonly (readonly MessageMenuItem[])[] => [
  [
    { label: text.react, icon: SmilePlus, run: react, keys: 'react' },
    ...answering(message, actions),
  ],
  keeping(message, actions),
  changing(message, actions),
];
