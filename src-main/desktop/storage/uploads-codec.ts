import { z } from 'zod';
import { BackgroundUpload } from '#shared/bridge/models/client-codecs.ts';

export const StoredUploads = z.object({
  uploads: z.array(
    BackgroundUpload.and(
      z.object({
        type: z.string(),
        begun: z.object({ id: z.string(), version: z.string() }).nullable(),
        uri: z.string().nullable(),
      }),
    ),
  ),
});
