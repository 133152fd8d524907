import { z } from 'zod';
import { KeptPlace } from '../../bridge/models/shell.ts';
import type { Log } from '../../platform/log.ts';
import { createProfileFile } from '../storage/profile-file.ts';
import { WindowState } from './window-state.ts';

const WRITE_PAUSE_MS = 1_000;

/** What the window looked like and showed when it was left, for the next one. */
const Stored = z.object({
  version: z.literal(1),
  window: WindowState.nullable(),
  place: KeptPlace.nullable(),
});
type Stored = z.infer<typeof Stored>;

export interface PlaceStore {
  readonly place: () => KeptPlace | null;
  readonly window: () => WindowState | undefined;
  readonly keepPlace: (place: KeptPlace) => void;
  readonly keepWindow: (window: WindowState) => void;
  /** Settles when what was kept last is on the disk. */
  readonly flush: () => Promise<void>;
}

export async function openPlaces(profileDir: string, log: Log): Promise<PlaceStore> {
  const file = createProfileFile(profileDir, 'window.json', Stored, log);
  let kept: Stored = { version: 1, window: null, place: null };
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

  function keep(change: Partial<Stored>): void {
    kept = { ...kept, ...change };
    // People move and leaf often; the disk needs only where they ended.
    timer ??= setTimeout(() => void flush(), WRITE_PAUSE_MS);
  }

  return {
    place: () => kept.place,
    window: () => kept.window ?? undefined,
    keepPlace: (place) => keep({ place }),
    keepWindow: (window) => keep({ window }),
    flush,
  };
}
