import { z } from 'zod';
import type { Log } from '#node/log.ts';
import { createProfileFile } from './profile-file.ts';

const Stored = z.object({
  version: z.literal(1),
  port: z.int().min(1).max(65_535).optional(),
  /** Who else may come; absent where nobody was asked yet. */
  others: z.object({ isOpen: z.boolean(), networks: z.record(z.string(), z.boolean()) }).optional(),
});

type Others = NonNullable<z.infer<typeof Stored>['others']>;

/** Where the organization of this computer was reached last: its people know that address. */
export interface HostingStore {
  readonly port: () => Promise<number | undefined>;
  readonly savePort: (port: number) => Promise<void>;
  /** In which networks others may come to it; undefined where nobody has said yet. */
  readonly others: () => Promise<Others | undefined>;
  readonly saveOthers: (others: Others) => Promise<void>;
}

export function createHostingStore(profileDir: string, log: Log): HostingStore {
  const file = createProfileFile(profileDir, 'hosting.json', Stored, { log });
  let changes: Promise<unknown> = Promise.resolve();

  async function read(): Promise<z.infer<typeof Stored> | undefined> {
    try {
      return await file.read();
    } catch (error) {
      log.warn('what is kept of the hosted service could not be read', { error });
      return undefined;
    }
  }

  function keep(change: Partial<z.infer<typeof Stored>>): Promise<void> {
    const kept = changes.then(async () => {
      try {
        await file.write({ ...(await read()), version: 1, ...change });
      } catch (error) {
        log.warn('what is known of the hosted service could not be kept', { error });
      }
    });
    changes = kept;
    return kept;
  }

  return {
    port: async () => (await read())?.port,
    savePort: (port) => keep({ port }),
    others: async () => (await read())?.others,
    saveOthers: (others) => keep({ others }),
  };
}
