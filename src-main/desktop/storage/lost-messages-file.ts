/** Messages that the office has lost and this computer still has: a file of their own, which nothing else empties. */
import { StoredLostMessages, type LostMessageStore } from '#client/session/lost-store.ts';
import { stderrLog } from '#node/log.ts';
import { createProfileFile } from './profile-file.ts';

export function createLostFile(folder: string): LostMessageStore {
  const file = createProfileFile(folder, 'lost-messages.json', StoredLostMessages, {
    log: stderrLog,
  });
  return { read: () => file.read(), write: (kept) => file.write(kept) };
}
