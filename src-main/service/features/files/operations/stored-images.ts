/** Stored pictures that anybody may fetch. Metadata of those from before it was cut at once goes when they are asked for. */
import { withoutMetadata } from '#shared/pictures/metadata/metadata.ts';
import type { StoredFile } from '#service/core/ports/files.ts';
import type { Store } from '#service/db/port.ts';
import type { FileStore } from '#service/core/ports/environment.ts';
import { isNamed } from './orphaned-files.ts';

type StoredImage = Pick<StoredFile, 'sizeBytes' | 'read'>;

async function* streamOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** @returns what finds a picture without metadata; undefined where there is none */
export function imageFinder(
  store: Store,
  files: FileStore,
): (place: string) => Promise<StoredImage | undefined> {
  /** Those that lie there without metadata. */
  const clean = new Set<string>();
  const running = new Map<string, Promise<StoredImage | undefined>>();

  const storedOf = (place: string, { length }: Uint8Array): StoredImage => {
    clean.add(place);
    return { sizeBytes: length, read: (from, to) => files.stream(place, from, to) };
  };

  async function cut(place: string, bytes: Uint8Array): Promise<StoredImage> {
    const kept = withoutMetadata(bytes) ?? bytes;
    if (kept === bytes) return storedOf(place, bytes);
    try {
      await files.write(place, kept);
    } catch {
      // No room now: it is cut each time until there is some.
      const read: StoredImage['read'] = async (from, to) => streamOf(kept.subarray(from, to + 1));
      return { sizeBytes: kept.length, read };
    }
    // Its owner may have removed it meanwhile: the row goes before the file.
    if (!(await store.read((tx) => isNamed(tx, place)))) await files.remove(place);
    return storedOf(place, kept);
  }

  async function find(place: string): Promise<StoredImage | undefined> {
    const bytes = await files.read(place);
    if (bytes === undefined) return undefined;
    return clean.has(place) ? storedOf(place, bytes) : cut(place, bytes);
  }

  return (place) => {
    const found = running.get(place) ?? find(place).finally(() => running.delete(place));
    running.set(place, found);
    return found;
  };
}
