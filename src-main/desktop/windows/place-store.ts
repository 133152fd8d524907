import type { SavedPlace } from '#shared/bridge/models/shell.ts';
import type { Log } from '#node/log.ts';
import { createProfileFile, type CheckedTexts } from '../storage/profile-file.ts';
import type { StoredPlace, WindowState } from './place-codec.ts';

const WRITE_PAUSE_MS = 1_000;

const loadCodec = async () => (await import('./place-codec.ts')).StoredPlace;

export interface PlaceStore {
  readonly place: () => SavedPlace | null;
  readonly window: () => WindowState | undefined;
  readonly savePlace: (place: SavedPlace) => void;
  readonly saveWindow: (window: WindowState) => void;
  /** Settles when what was kept last is on the disk. */
  readonly flush: () => Promise<void>;
}

export async function openPlaces(
  profileDir: string,
  log: Log,
  checked?: CheckedTexts,
): Promise<PlaceStore> {
  const file = createProfileFile(profileDir, 'window.json', loadCodec, { log, checked });
  let kept: StoredPlace = { version: 1, window: null, place: null };
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  try {
    kept = (await file.read()) ?? kept;
  } catch (error) {
    log.warn('the place of the window could not be read', { error });
  }

  async function write(): Promise<void> {
    try {
      await file.write(kept);
    } catch (error) {
      log.warn('the place of the window could not be kept', { error });
    }
  }

  function flush(): Promise<void> {
    if (timer !== undefined) {
      clearTimeout(timer);
      timer = undefined;
      writing = write();
    }
    return writing;
  }

  function keep(change: Partial<StoredPlace>): void {
    kept = { ...kept, ...change };
    // People move and leaf often; the disk needs only where they ended.
    timer ??= setTimeout(() => void flush(), WRITE_PAUSE_MS);
  }

  return {
    place: () => kept.place,
    window: () => kept.window ?? undefined,
    savePlace: (place) => keep({ place }),
    saveWindow: (window) => keep({ window }),
    flush,
  };
}
