/** A service as people on other computers come to it: over TLS, and known by its fingerprint. */
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { FakeClock } from '../fake-clock.ts';

export const overTls = ({ origin }: { readonly origin: string }): string =>
  origin.replace('http:', 'https:');

export async function pinOfService(service: { readonly origin: string }): Promise<string> {
  const found = await desktopServerIdentity.identify(
    overTls(service),
    new AbortController().signal,
  );
  return found?.fingerprint ?? '';
}

/** Of a computer on which nobody has an account there. */
export const newcomersNetwork = (device: string) => ({
  http: desktopHttp,
  fetchFile: desktopFetchFile,
  clock: new FakeClock(),
  serverIdentity: desktopServerIdentity,
  device: { name: device, client: 'Hearth' },
});
