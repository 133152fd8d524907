import type { SnapshotWriter } from '#backup/account-snapshot-writer.ts';
import type { RedirectNotifier } from '#backup/migration/redirect-notifier.ts';
import type { HttpServer } from '#service/http/server.ts';
import type { Store } from '#service/db/port.ts';
import type { ServerCertificate } from '#service/security/served-certificate.ts';
import type { Service } from '#service/service.ts';

/** How long requests under way may take when the service stops. */
const DRAIN_LIMIT_MS = 5000;

export interface StoppableParts {
  readonly server: HttpServer;
  readonly service: Service;
  readonly store: Store;
  readonly certificate: ServerCertificate;
  readonly snapshotWriter: SnapshotWriter;
  readonly redirectNotifier: RedirectNotifier;
  readonly endCommands: () => Promise<void>;
}

/** Stops a running service, once however often it is asked to. */
export function stopOnce({
  server,
  service,
  store,
  certificate,
  snapshotWriter,
  redirectNotifier,
  endCommands,
}: StoppableParts): () => Promise<void> {
  const stop = async (): Promise<void> => {
    server.stopAccepting();
    certificate.stop();
    try {
      await endCommands();
      await redirectNotifier.stop();
      await service.stop();
      await server.drain(DRAIN_LIMIT_MS);
      await snapshotWriter.stop();
    } finally {
      await store.close();
    }
  };
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
