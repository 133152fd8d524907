/** Names that can be taken for each other are told to administrators, who read warnings in their window (API decisions 15.17). */
import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import type { Store } from '#service/db/port.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
import { clashesAmong, type Named } from '../rules/look-alike-names.ts';

interface ClashParts {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly loadConfusables: () => Promise<Confusables>;
}

/** Warnings that are listed; the service keeps a hundred of all kinds. */
const MAX_CLASHES = 50;
/** The newest ones: there may be a million. */
const MAX_TOPICS = 1000;
/** After a start, those who wait for the service come first. */
const DELAY_MS = 1000;

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

async function warnOfClashes({ store, log, loadConfusables }: ClashParts): Promise<void> {
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

export interface ClashSearch {
  /** Settles when the log has the warnings: they are looked for once. */
  readonly finish: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Looks for them soon after a start, or earlier for whoever asks. */
export function startClashSearch(parts: ClashParts): ClashSearch {
  const { clock, log } = parts;
  let searching: Promise<void> | undefined;
  const finish = (): Promise<void> =>
    (searching ??= warnOfClashes(parts).catch((cause: unknown) => {
      log.error('the search for names that look alike failed', { cause });
    }));
  const cancel = clock.setTimer(() => void finish(), DELAY_MS);
  return {
    finish,
    async stop() {
      cancel();
      await searching;
    },
  };
}
