import type { ShellCalls } from '#shared/bridge/bridge.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { PreferenceStore } from '../storage/preference-store.ts';
import type { PlaceStore } from './place-store.ts';
import type { MainWindow } from './window.ts';

/** Calls that need nothing but the window. */
export type PageCalls = Pick<
  ShellCalls,
  'preferences' | 'savedPlace' | 'savePlace' | 'pageReady' | 'readyToClose'
>;

export const createPageCalls = (
  preferences: PreferenceStore,
  places: PlaceStore,
  window: MainWindow,
): PageCalls => ({
  preferences: async () => success(preferences.current()),
  savedPlace: async () => success(places.place()),
  savePlace: async (place) => {
    places.savePlace(place);
    return success(null);
  },
  pageReady: async () => {
    window.pageReady();
    return success(null);
  },
  readyToClose: async () => {
    window.readyToClose();
    return success(null);
  },
});
