import { systemClock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import { StartError } from '#node/start-error.ts';
import type { ServerIdentity } from '#node/tls/server-identity.ts';
import { makeAuthority } from '#service/security/certificates.ts';
import {
  CertificateError,
  createServerCertificate,
  type ServerCertificate,
} from '#service/security/served-certificate.ts';
import type { ServeOptions } from './options/serve-options.ts';
import { certificateNamesFor } from './reachable-addresses.ts';
import { writeAuthorityFile } from './start-notes.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';

/** The certificate that was given, or one of the service's own authority, which is written beside the data. */
export async function openCertificate(
  {
    dataDir,
    host,
    certificate = null,
  }: Pick<ServeOptions, 'dataDir' | 'host'> & Partial<Pick<ServeOptions, 'certificate'>>,
  { identity, log }: { readonly identity: ServerIdentity; readonly log: Log },
): Promise<ServerCertificate> {
  const names = (): ReturnType<typeof certificateNamesFor> => certificateNamesFor(host);
  const authority = makeAuthority(identity, names().names);
  await writeAuthorityFile({ dataDir, log }, authority);
  try {
    return createServerCertificate({
      identity,
      addresses: names,
      files: certificate,
      clock: systemClock,
      log,
    });
  } catch (error) {
    if (error instanceof CertificateError) throw new StartError('HOST_FAILED', toldOf(error));
    throw error;
  }
}
