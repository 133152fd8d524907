/** What stays on a computer that an organization has left: a closed copy, which says where it is now. */
import { access, rename } from 'node:fs/promises';
import { readSourceState } from '#node/migration/transfer-files.ts';

/** Whether the organization of a data folder lives on another computer now. */
export const hasMovedAway = async (dataDir: string): Promise<boolean> =>
  (await readSourceState(dataDir).catch(() => undefined))?.isHandedOver === true;

const isFree = (path: string): Promise<boolean> =>
  access(path).then(
    () => false,
    () => true,
  );

/** Makes room for another organization; nothing of the copy is lost. */
export async function setAside(dataDir: string): Promise<void> {
  for (let count = 1; ; count += 1) {
    const aside = `${dataDir}.moved-${String(count)}`;
    if (!(await isFree(aside))) continue;
    await rename(dataDir, aside);
    return;
  }
}
