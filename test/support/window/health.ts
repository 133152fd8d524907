import type { RequestResult } from '#shared/bridge/requestable.ts';

const MIB = 1024 ** 2;

/** What a service answers that has nothing to complain of. */
export const healthy: RequestResult<'health.show'> = {
  version: '1.2.3',
  started_at: 1_763_800_200,
  database_bytes: 400 * MIB,
  upload_bytes: 3072 * MIB,
  disk: { free_bytes: 120 * 1024 * MIB, total_bytes: 480 * 1024 * MIB, takes_uploads: true },
  memory_bytes: 105 * MIB,
  queues: 20,
  connected: 1,
  warnings: [],
};
