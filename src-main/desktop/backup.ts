/** What backs the organization of this computer up, and brings one back: put together from its parts. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import type { KeepingCalls, MovingCalls } from '#shared/bridge/bridge.ts';
import type { BackupsStatus } from '#shared/bridge/models/backups.ts';
import type { MoveInStatus, MoveOutStatus } from '#shared/bridge/models/moving.ts';
import type { Client } from '#client/client.ts';
import type { KeyStore } from '#client/ports.ts';
import type { Keeper } from '#node/threads/backup-messages.ts';
import { stderrLog as log } from '#node/log.ts';
import { createBackups } from './hosting/backups.ts';
import type { Hosting } from './hosting/hosting.ts';
import { createMovingIn } from './hosting/migration-in.ts';
import { createMovingOut } from './hosting/migration-out.ts';
import type { OfficeReachControl } from './hosting/network-access.ts';
import { createRestoring } from './hosting/restore.ts';
import { createBackupStore } from './storage/backup-store.ts';
import { desktopClock } from './system/clock.ts';
import { keepingCalls } from './windows/backup-calls.ts';
import { movingCalls } from './windows/migration-calls.ts';

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
    ...{ keeper, dataDir, keys, hosting, log, clock: desktopClock },
    store: createBackupStore(profileDir, log),
    defaultFolder: join(profileDir, 'backups'),
    version: app.getVersion(),
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

export interface Moving {
  readonly calls: MovingCalls;
  /** Looks for moves from now on. */
  readonly begin: (
    tellOut: (status: MoveOutStatus) => void,
    tellIn: (status: MoveInStatus) => void,
  ) => void;
  readonly end: () => Promise<void>;
}

interface MovingParts {
  readonly keeper: Keeper;
  readonly hosting: Hosting;
  readonly keys: KeyStore;
  readonly office: OfficeReachControl;
  readonly rehouse: Client['rehouse'];
}

export function prepareMoving(parts: MovingParts): Moving {
  const own = { ...parts, dataDir: hostedDataDir() };
  const out = createMovingOut({ ...own, log, clock: desktopClock });
  const into = createMovingIn({ ...own, computer: hostname() });
  return {
    calls: movingCalls(out, into),
    begin: (tellOut, tellIn) => {
      into.onStatus(tellIn);
      out.begin(tellOut);
    },
    end: async () => {
      out.end();
      await into.stop();
    },
  };
}
