/** The picture of an organization, before anybody is signed in to it. */
import { PICTURE_MIB } from '#shared/api/bounds.ts';
import type { FetchedFile } from '#shared/bridge/models/client.ts';
import type { FoundService, Network } from './sign-in.ts';

/** As large as a service takes one. */
const MAX_BYTES = PICTURE_MIB * 1024 * 1024;
/** Somebody waits to see where they are invited to, which the name says as well. */
const LIMIT_MS = 3000;

/** The service's own file and nobody else's: where a picture is asked for, it is seen who asks. */
const OWN = /^\/user_avatars\/\d+\/realm\/[\w.-]+(?:\?[\w=&.-]*)?$/;
const TYPE = /^image\/(?:png|gif|jpeg|webp)$/;

/** @param there  the network in which only this office answers @returns null where it has none, or it cannot be had in time */
export async function fetchIcon(
  { fetchFile, clock }: Network,
  { address, settings }: FoundService,
): Promise<FetchedFile | null> {
  const { realm_icon: path } = settings;
  if (fetchFile === undefined || path === undefined || !OWN.test(path)) return null;
  const late = new AbortController();
  const settled = new AbortController();
  void clock.wait(LIMIT_MS, settled.signal).then(() => {
    late.abort();
  });
  try {
    const file = await fetchFile({
      method: 'GET',
      url: `${address}${path}`,
      headers: {},
      maxBytes: MAX_BYTES,
      signal: late.signal,
    });
    const type = file.type.split(';')[0]?.trim().toLowerCase() ?? '';
    if (file.status !== 200 || file.bytes === null || !TYPE.test(type)) return null;
    return { type, bytes: file.bytes };
  } catch {
    // The port rejects for one reason only: there is no answer.
    return null;
  } finally {
    settled.abort();
  }
}
