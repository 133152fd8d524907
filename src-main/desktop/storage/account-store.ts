import { z } from 'zod';
import type { AccountStore } from '../../client/ports.ts';
import { isPin } from '../../platform/office-identity.ts';
import type { Log } from '../../platform/log.ts';
import { createProfileFile } from './profile-file.ts';

const Stored = z.object({
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
      pin: z.string().refine(isPin).optional(),
      /** Beside the one in use; absent in a profile of before. */
      addresses: z
        .array(z.url({ protocol: /^https$/ }))
        .readonly()
        .optional(),
      successors: z.array(z.string().refine(isPin)).readonly().optional(),
      revoked: z.array(z.string().refine(isPin)).readonly().optional(),
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

export interface DesktopAccountStore extends AccountStore {
  /** Name of the file that a damaged list was moved to, once: asking clears it. */
  readonly takeDamaged: () => string | undefined;
}

/** The joined accounts in a file of the profile. */
export function createAccountStore(profileDir: string, log: Log): DesktopAccountStore {
  const file = createProfileFile(profileDir, 'accounts.json', Stored, log);
  return {
    list: async () => (await file.read())?.accounts ?? [],
    save: (accounts) => file.write({ version: 1, accounts: [...accounts] }),
    takeDamaged: file.takeDamaged,
  };
}
