import type { Log } from '#node/log.ts';
import type { Store } from '#service/db/port.ts';
import type { DomainCredentials } from '#service/core/ports/environment.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
import { clashesAmong, type Named } from '../rules/look-alike-names.ts';

interface StartParts {
  readonly store: Store;
  readonly credentials: Pick<DomainCredentials, 'apiKeys'>;
  readonly log: Log;
  readonly loadConfusables: () => Promise<Confusables>;
}

/** Warnings that are listed; the service keeps a hundred of all kinds. */
const MAX_CLASHES = 50;
/** The newest ones: a start must not wait for a million of them. */
const MAX_TOPICS = 1000;

const warnings = {
  hidden: 'a name has something in it that nobody sees: give it another one',
  alike: 'a name looks like another one that is written otherwise: give one of them another name',
};

interface NameKind {
  readonly about: { readonly kind: string; readonly stream?: string };
  readonly all: readonly Named[];
}

/** Of topics those of public streams alone: administrators do not read what is said in others. */
async function kindsOf(store: Store): Promise<readonly NameKind[]> {
  const [people, streams, groups, topics] = await Promise.all([
    store.listUsers(),
    store.listStreams(),
    store.listUserGroups(),
    store.listPublicTopics(MAX_TOPICS),
  ]);
  const byStream = Map.groupBy(topics, ({ stream_name: stream }) => stream);
  return [
    { about: { kind: 'person' }, all: people.map(({ id, full_name: name }) => ({ id, name })) },
    { about: { kind: 'address' }, all: people.map(({ id, email: name }) => ({ id, name })) },
    { about: { kind: 'stream' }, all: streams },
    { about: { kind: 'group' }, all: groups },
    ...Array.from(byStream, ([stream, all]) => ({ about: { kind: 'topic', stream }, all })),
  ];
}

/** Administrators read warnings in their window (API decisions 15.17). */
async function warnOfClashes({
  store,
  log,
  loadConfusables,
}: Omit<StartParts, 'credentials'>): Promise<void> {
  const table = await loadConfusables();
  const found = (await kindsOf(store)).map(({ about, all }) => ({
    about,
    ...clashesAmong(all, table),
  }));
  const clashes = (['hidden', 'alike'] as const).flatMap((which) =>
    found.flatMap(({ about, [which]: those }) =>
      those.map((clash) => ({ message: warnings[which], details: { ...about, ...clash } })),
    ),
  );
  for (const { message, details } of clashes.slice(0, MAX_CLASHES)) log.warn(message, details);
  if (clashes.length > MAX_CLASHES)
    log.warn('more names can be taken for others', { more: clashes.length - MAX_CLASHES });
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
  await warnOfClashes(parts);
  await store.appendEvent({
    type: 'restart',
    audience: { kind: 'realm' },
    payload: { server_generation: nowSeconds(), immediate: true },
  });
}
