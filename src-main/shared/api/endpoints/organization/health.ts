import { z } from 'zod';
import { endpoint } from '#shared/api/endpoint.ts';
import { wire } from '#shared/api/wire.ts';

const bytes = z.int();
/** UNIX seconds. */
const moment = z.int();

export const health = {
  /** What an administrator looks at before people notice that something is wrong. */
  show: endpoint({
    method: 'GET',
    path: '/office/health',
    auth: 'user',
    access: 'admin',
    params: wire({}),
    result: z.object({
      version: z.string(),
      started_at: moment,
      database_bytes: bytes,
      upload_bytes: bytes,
      disk: z.object({ free_bytes: bytes, total_bytes: bytes, takes_uploads: z.boolean() }),
      memory_bytes: bytes,
      queues: z.int(),
      connected: z.int(),
      /** What the service has warned of since it started, the newest first. */
      warnings: z.array(
        z.object({
          time: moment,
          level: z.enum(['warn', 'error']),
          message: z.string(),
          details: z.string(),
        }),
      ),
    }),
    errors: ['BAD_REQUEST'],
    summary: 'How the service is: its disk, database, queues and warnings (administrators).',
    spec: 'API decisions 15.17',
  }),
};
