import { readFile, writeFile } from 'node:fs/promises';
import { dialog } from 'electron';
import type { Account } from '#shared/bridge/models/client.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { AUTHORITY_FILE } from '#node/tls/server-identity.ts';
import { authorityAt } from '#node/tls/pinned-tls.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

/** By the fingerprint alone: what anybody sends who answers at the address is not trusted for it. */
const authorityOf = ({ address, pin }: Account): Promise<string | undefined> =>
  pin === undefined || !address.startsWith('https:')
    ? Promise.resolve(undefined)
    : authorityAt(address, pin);

/** Asks for a place, puts the certificate there, and answers where. @param hostedFile  where this computer's own is */
export async function saveAuthority(
  account: Account | undefined,
  hostedFile: string,
): Promise<Outcome<string | null>> {
  const isHere = account?.isHosted === true;
  const authority = isHere
    ? await readFile(hostedFile, 'utf8').catch(() => undefined)
    : account && (await authorityOf(account));
  if (authority === undefined) {
    return failure('NO_AUTHORITY', desktopWords('authority_missing'));
  }
  const { filePath } = await dialog.showSaveDialog({
    title: 'Save the certificate of the office',
    defaultPath: AUTHORITY_FILE,
  });
  if (filePath === '') return success(null);
  try {
    await writeFile(filePath, authority);
    return success(filePath);
  } catch {
    return failure('NOT_STORED', desktopWords('authority_not_stored'));
  }
}
