import { z } from 'zod';
import type {
  BackupFailure,
  LatestBackup,
  BackupsStatus,
  BackupTime,
} from '#shared/bridge/models/backups.ts';
import type { Log } from '#node/log.ts';
import { createProfileFile } from './profile-file.ts';

export interface BackupSettings {
  /** Null for the one beside the messages. */
  readonly folder: string | null;
  readonly at: BackupTime;
  readonly last: LatestBackup | null;
  readonly failure: BackupFailure | null;
  /** As the newest backup knows it. */
  readonly code: BackupsStatus['code'];
  /** Until then the window asks for nothing. */
  readonly quietUntilSeconds: number;
}

const Stored = z.object({
  version: z.literal(1),
  folder: z.string().nullable(),
  at: z.object({ hours: z.int().min(0).max(23), minutes: z.int().min(0).max(59) }),
  last: z
    .object({
      file: z.string(),
      atSeconds: z.int(),
      sizeBytes: z.int(),
      messages: z.int(),
      lostFiles: z.int(),
    })
    .nullable(),
  failure: z.object({ atSeconds: z.int(), reason: z.string() }).nullable(),
  code: z.enum(['none', 'unconfirmed', 'confirmed']),
  quietUntilSeconds: z.int(),
});

/** A laptop is awake then, and nobody waits for it; a day on which it is not is made up for as soon as it is. */
const atFirst: BackupSettings = {
  folder: null,
  at: { hours: 12, minutes: 30 },
  last: null,
  failure: null,
  code: 'none',
  quietUntilSeconds: 0,
};

/** Where backups go, and how they went; a file of the profile. */
export interface BackupStore {
  readonly read: () => Promise<BackupSettings>;
  readonly change: (patch: Partial<BackupSettings>) => Promise<BackupSettings>;
}

export function createBackupStore(profileDir: string, log: Log): BackupStore {
  const file = createProfileFile(profileDir, 'backups.json', Stored, { log });
  let kept: BackupSettings | undefined;
  const read = async (): Promise<BackupSettings> => {
    kept ??= (await file.read()) ?? atFirst;
    return kept;
  };
  return {
    read,
    change: async (patch) => {
      kept = { ...(await read()), ...patch };
      await file.write({ version: 1, ...kept });
      return kept;
    },
  };
}
