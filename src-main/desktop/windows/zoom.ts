import type { PreferenceStore } from '../storage/preference-store.ts';

const STEP = 0.5;

/** Makes everything in the window larger or smaller, or as large as it was made (0). */
export async function zoomBy(preferences: PreferenceStore, steps: -1 | 0 | 1): Promise<void> {
  await preferences.changeBy(({ zoomLevel: now }) => ({
    zoomLevel: steps === 0 ? 0 : Math.max(-3, Math.min(6, now + steps * STEP)),
  }));
}
