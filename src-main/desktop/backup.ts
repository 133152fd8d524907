/** What backs the organization of this computer up, and brings one back: put together from its parts. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import type { BackupCalls, MigrationCalls } from '#shared/bridge/hosting-calls.ts';
import type { BackupsStatus } from '#shared/bridge/models/backups.ts';
import type { MigrationTargetStatus, MigrationSourceStatus } from '#shared/bridge/models/moving.ts';
import type { Client } from '#client/client.ts';
import type { KeyStore } from '#client/ports.ts';
import type { BackupThread } from '#node/threads/backup-messages.ts';
import { stderrLog as log } from '#node/log.ts';
import { createBackups } from './hosting/backups.ts';
import type { Hosting } from './hosting/hosting.ts';
import { createMigrationTarget } from './hosting/migration-in.ts';
import { createMigrationSource } from './hosting/migration-out.ts';
import type { NetworkAccessControl } from './hosting/network-access.ts';
import { createRestoring } from './hosting/restore.ts';
import { createBackupStore } from './storage/backup-store.ts';
import { desktopClock } from './system/clock.ts';
import { backupCalls } from './windows/backup-calls.ts';
import { migrationCalls } from './windows/migration-calls.ts';

export interface BackupFeatures {
  readonly calls: BackupCalls;
  /** Backups are made from now on. */
  readonly begin: (tell: (status: BackupsStatus) => void) => void;
  readonly end: () => Promise<void>;
}

/** Where an organization that this computer hosts has its data. */
export const hostedDataDir = (): string => join(app.getPath('userData'), 'service');

export function prepareBackups(
  backupThread: BackupThread,
  hosting: Hosting,
  keys: KeyStore,
): BackupFeatures {
  const profileDir = app.getPath('userData');
  const dataDir = hostedDataDir();
  const backups = createBackups({
    backupThread,
    dataDir,
    keys,
    hosting,
    log,
    clock: desktopClock,
    store: createBackupStore(profileDir, log),
    defaultFolder: join(profileDir, 'backups'),
    version: app.getVersion(),
  });
  return {
    calls: backupCalls(backups, createRestoring({ backupThread, dataDir, keys, hosting })),
    begin: (tell) => {
      backups.onStatus(tell);
      backups.begin();
    },
    end: backups.end,
  };
}

export interface MigrationFeatures {
  readonly calls: MigrationCalls;
  /** Looks for moves from now on. */
  readonly begin: (
    tellOut: (status: MigrationSourceStatus) => void,
    tellIn: (status: MigrationTargetStatus) => void,
  ) => void;
  readonly end: () => Promise<void>;
}

interface MigrationParts {
  readonly backupThread: BackupThread;
  readonly hosting: Hosting;
  readonly keys: KeyStore;
  readonly networkAccess: NetworkAccessControl;
  readonly reassignHost: Client['reassignHost'];
}

export function prepareMigration(parts: MigrationParts): MigrationFeatures {
  const own = { ...parts, dataDir: hostedDataDir() };
  const out = createMigrationSource({ ...own, log, clock: desktopClock });
  const into = createMigrationTarget({ ...own, computer: hostname() });
  return {
    calls: migrationCalls(out, into),
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
