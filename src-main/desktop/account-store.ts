import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AccountStore } from '../client/ports.ts';
import type { Account } from '../contract/models/client.ts';
import type { Log } from '../platform/log.ts';

const Stored = z.object({
  version: z.literal(1),
  accounts: z.array(
    z.object({
      id: z.string(),
      address: z.url({ protocol: /^https?$/ }),
      realmName: z.string(),
      email: z.string(),
      fullName: z.string(),
      userId: z.int(),
      isHosted: z.boolean(),
    }),
  ),
});

export interface DesktopAccountStore extends AccountStore {
  /** Name of the file that a damaged list was moved to, once: asking clears it. */
  readonly takeDamaged: () => string | undefined;
}

/** The joined accounts in a file of the profile. */
export function createAccountStore(profileDir: string, log: Log): DesktopAccountStore {
  const file = join(profileDir, 'accounts.json');
  let damaged: string | undefined;
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function list(): Promise<readonly Account[]> {
    await lastWrite;
    const text = await readIfPresent(file);
    if (text === undefined) return [];
    const accounts = parse(text);
    if (accounts !== undefined) return accounts;
    damaged = `accounts.damaged-${new Date().toISOString().replaceAll(':', '-')}.json`;
    await rename(file, join(profileDir, damaged));
    log.error('the list of accounts is damaged and was moved aside', { file: damaged });
    return [];
  }

  return {
    list,
    save: (accounts) => {
      const content = `${JSON.stringify({ version: 1, accounts }, undefined, 2)}\n`;
      // One after the other: two writers of one temporary file would mix their lists.
      const write = lastWrite.then(() => writeAtomically(file, content));
      lastWrite = write.catch(() => undefined);
      return write;
    },
    takeDamaged: () => {
      const name = damaged;
      damaged = undefined;
      return name;
    },
  };
}

function parse(text: string): readonly Account[] | undefined {
  try {
    return Stored.parse(JSON.parse(text)).accounts;
  } catch {
    return undefined;
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file has the old content or the new one, also after a power cut. */
async function writeAtomically(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
