import { WebContentsView } from 'electron';
import { soundNames, type SoundName } from '#shared/bridge/models/notifications.ts';
import type { Log } from '#node/log.ts';
import { restrictNavigation, PAGE_ORIGIN } from './trust.ts';

/** The longest sound takes less than a second; a page that is not done by then will never be. */
const LIMIT_MS = 10_000;

const pathOf = (sound: SoundName): string => `/sounds/${sound}.html`;

/** The page that plays a sound as soon as it is loaded, by its path. */
export const soundPages: ReadonlyMap<string, string> = new Map(
  soundNames.map((sound) => [
    pathOf(sound),
    `<!doctype html><title>${sound}</title><audio autoplay src="${sound}.wav"></audio>`,
  ]),
);

export interface Sounds {
  readonly play: (sound: SoundName) => void;
  /** For good: contents that came up while the application ends would keep it from ending. */
  readonly stop: () => void;
}

/**
 * Plays sounds whether there is a window or not: in contents of their own that no window shows, which have neither the
 * bridge nor a script, are made for a sound and freed after it.
 */
export function createSounds(log: Log): Sounds {
  let end: (() => void) | undefined;
  let isStopped = false;

  function play(sound: SoundName): void {
    if (isStopped) return;
    end?.();
    const view = new WebContentsView({
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        autoplayPolicy: 'no-user-gesture-required',
        backgroundThrottling: false,
        devTools: false,
      },
    });
    const contents = view.webContents;
    restrictNavigation(contents, () => undefined);
    const finish = (): void => {
      clearTimeout(timer);
      if (end === finish) end = undefined;
      // By the view: whoever holds its contents alone loses them as soon as garbage is collected.
      if (!contents.isDestroyed()) view.webContents.close();
    };
    end = finish;
    const timer = setTimeout(() => {
      log.warn('a sound could not be played to its end', { sound });
      finish();
    }, LIMIT_MS);
    contents.once('media-paused', () => {
      log.info('a sound was played', { sound });
      finish();
    });
    contents.loadURL(PAGE_ORIGIN + pathOf(sound)).catch((error: unknown) => {
      if (end !== finish) return;
      log.warn('a sound could not be loaded', { sound, error });
      finish();
    });
  }

  function stop(): void {
    isStopped = true;
    end?.();
  }

  return { play, stop };
}
