/** How the service is, as an administrator sees it who has no terminal of its computer (API decisions 15.17). */
import type { api } from '#shared/api/endpoints/index.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { LoggedWarning } from '#node/log.ts';
import type { Store } from '#service/db/port.ts';
import { hasRoomFor } from '#service/features/files/operations/disk-space.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';

export interface HealthParts {
  readonly store: Store;
  readonly files: Pick<DomainContext['files'], 'room'>;
  readonly databaseBytes: () => Promise<number>;
  readonly warned: () => Promise<readonly LoggedWarning[]>;
  readonly queues: () => number;
  readonly connected: () => number;
  readonly version: string;
  /** UNIX seconds. */
  readonly startedAt: number;
}

type Health = ResultOf<(typeof api)['health']['show']>;

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

export async function readHealth(parts: HealthParts): Promise<Health> {
  const { store, files, databaseBytes, version, startedAt } = parts;
  const [uploaded, database, room, warned] = await Promise.all([
    store.countUploadedBytes(),
    databaseBytes(),
    files.room(),
    parts.warned(),
  ]);
  return {
    version,
    started_at: startedAt,
    database_bytes: database,
    upload_bytes: uploaded,
    disk: {
      free_bytes: room.freeBytes,
      total_bytes: room.totalBytes,
      takes_uploads: hasRoomFor(0, room),
    },
    memory_bytes: process.memoryUsage.rss(),
    queues: parts.queues(),
    connected: parts.connected(),
    warnings: warned.map(({ timeMs, ...warning }) => ({
      ...warning,
      time: secondsOf(timeMs),
    })),
  };
}
