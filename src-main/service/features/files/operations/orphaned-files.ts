/** Files that no row names: a crash came between a file and its row, which is written after it and removed before it. */
import type { Log } from '#node/log.ts';
import type { Operation, Reading, Store } from '#service/db/port.ts';
import type { FileStore } from '#service/core/ports/environment.ts';
import { iconFileOf } from '#service/features/organization/rules/organization-icon.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { avatarPlace, emojiPlace, iconPlace, uploadPlace } from './file-paths.ts';

/** Names that are looked up at a time: whoever asks something else meanwhile hardly waits. */
const BATCH = 200;

interface FileKind {
  readonly placeOf: (name: string) => string;
  /** Those of the names that a row has, and perhaps others. */
  readonly named: (tx: Reading, names: readonly string[]) => Operation<readonly (string | null)[]>;
}

/** The folder of an upload, below the number of its organization. */
const uploadPath = (letters: string): string => `1/${letters}`;

const kinds: readonly FileKind[] = [
  {
    placeOf: (name) => uploadPlace(uploadPath(name)),
    *named(tx, names) {
      const found: string[] = [];
      for (const name of names) {
        if (yield* tx.hasUploadIn(uploadPath(name))) found.push(name);
        else if ((yield* tx.findUnfinishedUpload(name)) !== undefined) found.push(name);
      }
      return found;
    },
  },
  {
    placeOf: avatarPlace,
    *named(tx) {
      return (yield* tx.listUsers()).map((user) => user.avatar_file);
    },
  },
  {
    placeOf: iconPlace,
    *named(tx) {
      return [iconFileOf(realmSettings(yield* tx.findRealm()))];
    },
  },
  {
    placeOf: emojiPlace,
    *named(tx) {
      return (yield* tx.listEmoji()).map((emoji) => emoji.file_name);
    },
  },
];

/** Whether a row has the file. @param place  as in `file-paths.ts` */
export function* isNamed(tx: Reading, place: string): Operation<boolean> {
  const name = place.slice(place.lastIndexOf('/') + 1);
  const kind = kinds.find(({ placeOf }) => placeOf(name) === place);
  return kind !== undefined && (yield* kind.named(tx, [name])).includes(name);
}

function* batches(names: readonly string[]): Iterable<readonly string[]> {
  for (let from = 0; from < names.length; from += BATCH) yield names.slice(from, from + BATCH);
}

/**
 * Lists the files that lie there now, before a request can add one, and removes the orphans among them afterwards.
 * @returns what removes them; it answers how many there were
 */
export async function findOrphans(
  store: Store,
  files: FileStore,
): Promise<(isStopped: () => boolean) => Promise<number>> {
  const found = await Promise.all(
    kinds.map(async (kind) => ({ kind, names: await files.list(kind.placeOf('')) })),
  );
  return async (isStopped) => {
    let removed = 0;
    for (const { kind, names } of found) {
      for (const batch of batches(names)) {
        if (isStopped()) return removed;
        const named = new Set<string | null>(await store.read((tx) => kind.named(tx, batch)));
        for (const name of batch.filter((each) => !named.has(each))) {
          await files.remove(kind.placeOf(name));
          removed += 1;
        }
      }
    }
    return removed;
  };
}

/** Removes what an earlier run left, while the service answers; answers what stops that. */
export async function startOrphanSweep({
  store,
  files,
  log,
}: {
  readonly store: Store;
  readonly files: FileStore;
  readonly log: Log;
}): Promise<() => Promise<void>> {
  let isStopped = false;
  const remove = await findOrphans(store, files);
  const running = remove(() => isStopped).then(
    (removed) => {
      if (removed > 0) log.info('files that nothing names were removed', { files: removed });
    },
    (cause: unknown) => {
      log.error('the sweep of files failed', { cause });
    },
  );
  return () => {
    isStopped = true;
    return running;
  };
}
