/** Choices that belong to this computer (or this browser), not to an account. No service knows of them. */
import { z } from 'zod';
import { parseChord } from '../keys/chords.ts';
import { isActionId, type ActionId } from '../keys/keys.ts';
import { soundNames } from './notifications.ts';
import { type PreferenceFlag, preferenceFlags, preferenceRanges } from './preference-table.ts';

/** In the order in which they are pressed, as `bridge/keys/chords.ts` says; for one action. */
const Chords = z
  .array(
    z
      .string()
      .max(40)
      .refine((text) => parseChord(text) !== null),
  )
  .max(4)
  .readonly();
const Action = z.custom<ActionId>((id) => typeof id === 'string' && isActionId(id));

const intIn = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.int().min(least).max(most);

const flags = Object.fromEntries(
  Object.keys(preferenceFlags).map((key) => [key, z.boolean()]),
) as Record<PreferenceFlag, z.ZodBoolean>;

export const Preferences = z.strictObject({
  ...flags,
  theme: z.enum(['system', 'light', 'dark']),
  /** CSS pixels of the text of messages; everything else grows and shrinks with it. */
  fontSize: intIn(preferenceRanges.fontSize),
  density: z.enum(['comfortable', 'compact']),
  /** What sends a message from the compose box; Ctrl+Enter always does. */
  sendKey: z.enum(['enter', 'ctrl-enter']),
  /** What makes a message read: scrolling to it, the same in conversations only, or nothing but a command. */
  markRead: z.enum(['scroll', 'conversation', 'never']),
  /** New messages that a screen reader is told of. */
  announce: z.enum(['all', 'mentions', 'off']),
  /** UNIX seconds until which nothing rings; 0 when it is off, null until it is turned off. */
  doNotDisturbUntilSeconds: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  /** What rings on this computer; null follows the account's setting. */
  notificationSound: z.enum(soundNames).nullable(),
  /** BCP 47 tags; empty means the languages of the system. */
  spellLanguages: z.array(z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/)).max(20),
  /** What the caches of all accounts may take on the disk. */
  cacheLimitMiB: intIn(preferenceRanges.cacheLimitMiB),
  /** Steps of 20 % from the normal size, as Electron counts them. */
  zoomLevel: z.number().min(-3).max(6),
  /** CSS pixels at normal font size. */
  sidebarWidth: z.int().min(200).max(480),
  /** Shows and hides the window from anywhere, as an Electron accelerator; null for none. */
  globalShortcut: z.string().min(1).max(100).nullable(),
  /** Keys of actions in place of the default ones, an empty list for none; only what differs from the defaults. */
  keys: z.partialRecord(Action, Chords),
});
export type Preferences = z.infer<typeof Preferences>;

/** The choices to change; the others stay. */
export const PreferencesPatch = Preferences.partial();
export type PreferencesPatch = z.infer<typeof PreferencesPatch>;

const KeptKeys = z.record(z.string(), z.unknown()).transform((kept) =>
  Object.fromEntries(
    Object.entries(kept).flatMap(([id, given]) => {
      const chords = Chords.safeParse(given);
      return isActionId(id) && chords.success ? [[id, chords.data] as const] : [];
    }),
  ),
);

/**
 * As they were kept, maybe by another version: choices that are unknown here are dropped, and so is the key of an action
 * that is not, or what is no key. The others of the keys stay.
 */
export const SavedPreferences = z.object({
  ...PreferencesPatch.shape,
  keys: KeptKeys.optional().catch(undefined),
});
