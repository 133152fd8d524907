import { z } from 'zod';
import { SavedPreferences } from '#shared/bridge/models/preferences.ts';

/** Choices that it lacks get their defaults. */
export const StoredPreferences = z.object({ version: z.literal(1), choices: SavedPreferences });
