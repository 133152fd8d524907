/** What the shell around a window asks of it, and keeps for it. */
import { z } from 'zod';
import type { ShortcutId } from '../keys/keys.ts';

/** What a menu or the tray can ask of the page. */
export type CommandId = ShortcutId | 'newMessage';

export const SavedPlace = z.strictObject({
  accountId: z.string().min(1).max(1000),
  /** Written and read by the page alone; the shell only keeps it. */
  place: z.string().max(4000),
});
/** Where the person was, so that a window that is made anew opens there. */
export type SavedPlace = z.infer<typeof SavedPlace>;
