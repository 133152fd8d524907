import type { Log } from '#node/log.ts';
import type { Store } from '#service/db/port.ts';
import type { DomainCredentials } from '#service/core/ports/environment.ts';

interface StartParts {
  readonly store: Store;
  readonly credentials: Pick<DomainCredentials, 'apiKeys'>;
  readonly log: Log;
}

/** Brings stored keys in line with the secret, and tells every queue that the service is a new one. */
export async function announceStart(parts: StartParts, nowSeconds: () => number): Promise<void> {
  const { store, credentials, log } = parts;
  const { apiKeys } = credentials;
  const renewed = await store.refreshKeyHashes(
    (id, generation) => apiKeys.hash(apiKeys.derive(id, generation)),
    (id, generation) => apiKeys.hash(apiKeys.deriveDevice(id, generation)),
  );
  if (renewed > 0)
    log.warn('the secret is a new one: every API key has changed', { accounts: renewed });
  await store.appendEvent({
    type: 'restart',
    audience: { kind: 'realm' },
    payload: { server_generation: nowSeconds(), immediate: true },
  });
}
