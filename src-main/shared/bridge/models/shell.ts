/** What the shell around a window asks of it, and keeps for it. */
import { z } from 'zod';

/** What a menu or the tray can ask of the page. */
export type CommandId =
  | 'settings'
  | 'switcher'
  | 'search'
  | 'searchHere'
  | 'shortcuts'
  | 'back'
  | 'forward'
  | 'next'
  | 'previous'
  | 'nextUnread'
  | 'previousUnread'
  | 'newMessage'
  | 'newPrivate'
  | 'leftColumn'
  | 'rightColumn'
  | 'inbox'
  | 'mentions'
  | 'drafts';

export const SavedPlace = z.strictObject({
  accountId: z.string().min(1).max(1000),
  /** Written and read by the page alone; the shell only keeps it. */
  place: z.string().max(4000),
});
/** Where the person was, so that a window that is made anew opens there. */
export type SavedPlace = z.infer<typeof SavedPlace>;
