import { z } from 'zod';
import { SavedPlace } from '#shared/bridge/models/shell.ts';

const WindowState = z.object({
  version: z.literal(1),
  bounds: z.object({
    x: z.int().min(-100_000).max(100_000),
    y: z.int().min(-100_000).max(100_000),
    width: z.int().min(1).max(100_000),
    height: z.int().min(1).max(100_000),
  }),
  isMaximized: z.boolean(),
  isFullScreen: z.boolean(),
});
/** How the window was left. Lengths are in device-independent pixels. */
export type WindowState = z.infer<typeof WindowState>;

/** What the window looked like and showed when it was left, for the next one. */
export const StoredPlace = z.object({
  version: z.literal(1),
  window: WindowState.nullable(),
  place: SavedPlace.nullable(),
});
export type StoredPlace = z.infer<typeof StoredPlace>;
