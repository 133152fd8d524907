import { z } from 'zod';

/** Of whoever may be of another version, which has none or another one. */
export const CauseSchema = z
  .object({ name: z.string(), values: z.record(z.string(), z.unknown()) })
  .optional()
  .catch(undefined);
