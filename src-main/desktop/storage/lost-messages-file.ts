/** Messages that the office has lost and this computer still has: a file of their own, which nothing else empties. */
import { KeptLost, type LostStore } from '#client/session/lost-store.ts';
import { stderrLog } from '#node/log.ts';
import { createProfileFile } from './profile-file.ts';

export function createLostFile(folder: string): LostStore {
  const file = createProfileFile(folder, 'lost-messages.json', KeptLost, { log: stderrLog });
  return { read: () => file.read(), write: (kept) => file.write(kept) };
}
