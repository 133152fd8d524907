/** What the desktop shell keeps in its profile, kept by the browser: for all tabs of this address. */
import type { BridgeEvents, ShellCalls } from '../../src-main/contract/bridge.ts';
import { createEmitter, type Emitter } from '../../src-main/client/emitter.ts';
import {
  changedPreferences,
  defaultPreferences,
} from '../../src-main/contract/models/preference-defaults.ts';
import { KeptPreferences, type Preferences } from '../../src-main/contract/models/preferences.ts';
import { KeptPlace } from '../../src-main/contract/models/shell.ts';
import { failure, success } from '../../src-main/contract/outcome.ts';

const PREFERENCES = 'hearth.preferences';
const PLACE = 'hearth.place';

type ShellEvents = Pick<BridgeEvents, 'preferencesChanged'>;

export interface WebShell extends ShellCalls {
  readonly on: Emitter<ShellEvents>['on'];
}

/** Undefined for what is not there or not ours; another version of this page may have written it. */
function stored(storage: Storage, name: string): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function readPreferences(): Preferences {
  const kept = stored(localStorage, PREFERENCES);
  const parsed = KeptPreferences.safeParse(kept);
  return parsed.success ? changedPreferences(defaultPreferences, parsed.data) : defaultPreferences;
}

/** The place belongs to the tab: two tabs may show two conversations. */
function readPlace(): KeptPlace | null {
  const parsed = KeptPlace.safeParse(stored(sessionStorage, PLACE));
  return parsed.success ? parsed.data : null;
}

export function createWebShell(): WebShell {
  const { on, emit } = createEmitter<ShellEvents>();
  addEventListener('storage', ({ key }) => {
    if (key === PREFERENCES || key === null) emit('preferencesChanged', readPreferences());
  });
  return {
    on,
    preferences: async () => success(readPreferences()),
    setPreferences: async (patch) => {
      const changed = changedPreferences(readPreferences(), patch);
      try {
        localStorage.setItem(PREFERENCES, JSON.stringify(changed));
      } catch {
        return failure(
          'NOT_KEPT',
          'This browser keeps nothing for this page, so the choice cannot be kept. Allow the page to store data and try again.',
        );
      }
      emit('preferencesChanged', changed);
      return success(changed);
    },
    keepPlace: async (place) => {
      sessionStorage.setItem(PLACE, JSON.stringify(place));
      return success(null);
    },
    keptPlace: async () => success(readPlace()),
    pageReady: async () => success(null),
    readyToClose: async () => success(null),
  };
}
