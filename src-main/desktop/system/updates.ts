import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as updaterTypes from 'electron-updater';
import type { Log } from '#node/log.ts';

/** Where an organization keeps new versions for its people: the folder of electron-builder's output. */
const FEED = 'HEARTH_UPDATE_FEED';
const INTERVAL_MS = 6 * 60 * 60_000;
/** Starting is busy enough; an organization may set another pause, in milliseconds. */
const FIRST_AFTER_MS = 60_000;
const FIRST_AFTER = 'HEARTH_UPDATE_FIRST_MS';

export type UpdateFeed =
  | { readonly kind: 'none' }
  | { readonly kind: 'address'; readonly url: string }
  /** What the packaged application brings along, `app-update.yml`. */
  | { readonly kind: 'packaged' };

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** New versions come over TLS only: who can change them on the way runs what he likes on this computer. */
export function updateFeed(env: NodeJS.ProcessEnv, hasPackagedFeed: boolean): UpdateFeed {
  const text = env[FEED] ?? '';
  if (text === '') return hasPackagedFeed ? { kind: 'packaged' } : { kind: 'none' };
  if (!URL.canParse(text)) return { kind: 'none' };
  const { protocol, hostname, href } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe ? { kind: 'address', url: href } : { kind: 'none' };
}

function firstAfterMs(env: NodeJS.ProcessEnv): number {
  const text = env[FIRST_AFTER] ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : FIRST_AFTER_MS;
}

export interface UpdateParts {
  readonly log: Log;
  readonly env: NodeJS.ProcessEnv;
  readonly resourcesDir: string;
  readonly isPackaged: boolean;
  /** The new version is here and is installed when the application ends. */
  readonly onReady: (version: string) => void;
}

/**
 * Looks for new versions, now and every six hours. Without a feed it does nothing at all: not even the updater is loaded.
 * @returns what looks at once; undefined without a feed
 */
export function followUpdates(parts: UpdateParts): (() => Promise<void>) | undefined {
  const { log, env, resourcesDir, isPackaged, onReady } = parts;
  const feed = updateFeed(env, existsSync(join(resourcesDir, 'app-update.yml')));
  if (feed.kind === 'none') {
    if (env[FEED] !== undefined)
      log.warn('the update feed is not an https address and is not used');
    return undefined;
  }
  let loaded: Promise<updaterTypes.AppUpdater> | undefined;

  async function load(): Promise<updaterTypes.AppUpdater> {
    const module = (await import('electron-updater')) as unknown as {
      readonly default: typeof updaterTypes;
    };
    const { autoUpdater } = module.default;
    autoUpdater.logger = {
      info: () => undefined,
      warn: (message: unknown) => log.warn('updates', { message: String(message) }),
      error: (message: unknown) => log.error('updates', { message: String(message) }),
    };
    // Who names a feed to a build of his own wants to see it asked.
    autoUpdater.forceDevUpdateConfig = !isPackaged;
    if (feed.kind === 'address') autoUpdater.setFeedURL({ provider: 'generic', url: feed.url });
    autoUpdater.on('update-downloaded', ({ version }) => onReady(version));
    // Without a listener it would be thrown; the log has it from the logger.
    autoUpdater.on('error', () => undefined);
    return autoUpdater;
  }

  async function look(): Promise<void> {
    try {
      const updater = await (loaded ??= load());
      await (
        await updater.checkForUpdates()
      )?.downloadPromise;
    } catch (error) {
      log.warn('new versions could not be looked for', { error });
    }
  }

  setTimeout(() => void look(), firstAfterMs(env));
  setInterval(() => void look(), INTERVAL_MS);
  return look;
}
