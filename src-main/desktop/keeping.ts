/** What backs the organization of this computer up, and brings one back: put together from its parts. */
import { join } from 'node:path';
import { app } from 'electron';
import type { KeepingCalls } from '../bridge/bridge.ts';
import type { BackupsStatus } from '../bridge/models/backups.ts';
import type { KeyStore } from '../client/ports.ts';
import type { Keeper } from '../platform/keeping-messages.ts';
import { stderrLog as log } from '../platform/log.ts';
import { createBackups } from './hosting/backups.ts';
import type { Hosting } from './hosting/hosting.ts';
import { createRestoring } from './hosting/restoring.ts';
import { createBackupStore } from './storage/backup-store.ts';
import { desktopClock } from './system/clock.ts';
import { keepingCalls } from './windows/keeping-calls.ts';

export interface Keeping {
  readonly calls: KeepingCalls;
  /** Backups are made from now on. */
  readonly begin: (tell: (status: BackupsStatus) => void) => void;
  readonly end: () => Promise<void>;
}

/** Where an organization that this computer hosts has its data. */
export const hostedDataDir = (): string => join(app.getPath('userData'), 'service');

export function prepareKeeping(keeper: Keeper, hosting: Hosting, keys: KeyStore): Keeping {
  const profileDir = app.getPath('userData');
  const dataDir = hostedDataDir();
  const backups = createBackups({
    ...{ keeper, dataDir, keys, log, clock: desktopClock },
    store: createBackupStore(profileDir, log),
    defaultFolder: join(profileDir, 'backups'),
    version: app.getVersion(),
    hasData: hosting.hasData,
  });
  return {
    calls: keepingCalls(backups, createRestoring({ keeper, dataDir, keys, hosting })),
    begin: (tell) => {
      backups.onStatus(tell);
      backups.begin();
    },
    end: backups.end,
  };
}
