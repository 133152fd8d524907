import type { Log } from '../../../platform/log.ts';
import type { Store } from '../../store/port.ts';
import type { DomainCredentials } from '../ports.ts';
import { clashesAmong, type Named } from '../rules/clashes.ts';

interface StartParts {
  readonly store: Store;
  readonly credentials: Pick<DomainCredentials, 'apiKeys'>;
  readonly log: Log;
}

/** Warnings that are listed; the service keeps a hundred of all kinds. */
const MAX_CLASHES = 50;

/** Administrators read warnings in their window (API decisions 15.17). */
async function warnOfClashes({ store, log }: Pick<StartParts, 'store' | 'log'>): Promise<void> {
  const [people, streams, groups] = await Promise.all([
    store.listUsers(),
    store.listStreams(),
    store.listUserGroups(),
  ]);
  const kinds: Readonly<Record<string, readonly Named[]>> = {
    person: people.map(({ id, full_name: name }) => ({ id, name })),
    address: people.map(({ id, email: name }) => ({ id, name })),
    stream: streams,
    group: groups,
  };
  const clashes = Object.entries(kinds).flatMap(([kind, all]) =>
    clashesAmong(all).map((clash) => ({ kind, ...clash })),
  );
  for (const clash of clashes.slice(0, MAX_CLASHES))
    log.warn('a name has something in it that nobody sees: give it another one', clash);
  if (clashes.length > MAX_CLASHES)
    log.warn('more names have something in them that nobody sees', {
      more: clashes.length - MAX_CLASHES,
    });
}

/** Brings stored keys in line with the secret, and tells every queue that the service is a new one. */
export async function announceStart(
  { store, credentials, log }: StartParts,
  nowSeconds: () => number,
): Promise<void> {
  const { apiKeys } = credentials;
  const renewed = await store.refreshKeyHashes(
    (id, generation) => apiKeys.hash(apiKeys.derive(id, generation)),
    (id, generation) => apiKeys.hash(apiKeys.deriveDevice(id, generation)),
  );
  if (renewed > 0)
    log.warn('the secret is a new one: every API key has changed', { accounts: renewed });
  await warnOfClashes({ store, log });
  await store.appendEvent({
    type: 'restart',
    audience: { kind: 'realm' },
    payload: { server_generation: nowSeconds(), immediate: true },
  });
}
