import { z } from 'zod';
import { isFingerprint } from '#node/tls/server-identity.ts';

export const StoredAccounts = z.object({
  version: z.literal(1),
  accounts: z.array(
    z.object({
      id: z.string(),
      address: z.url({ protocol: /^https?$/ }),
      realmName: z.string(),
      iconUrl: z.string().optional(),
      email: z.string(),
      fullName: z.string(),
      userId: z.int(),
      isHosted: z.boolean(),
      pin: z.string().refine(isFingerprint).optional(),
      /** Beside the one in use; absent in a profile of before. */
      addresses: z
        .array(z.url({ protocol: /^https$/ }))
        .readonly()
        .optional(),
      successors: z.array(z.string().refine(isFingerprint)).readonly().optional(),
      revoked: z.array(z.string().refine(isFingerprint)).readonly().optional(),
      epoch: z
        .object({
          n: z.int(),
          id: z.string(),
          parent: z.string(),
          signature: z.string().nullable(),
        })
        .optional(),
    }),
  ),
});
