/** Pictures and files of the account's own service, fetched with its key and kept for when there is no connection. */
import type { FetchedFile } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { authorization, silentServer } from '../transport/api.ts';
import type { Cache } from '../cache/port.ts';
import { CacheError } from '../cache/port.ts';
import { refusalOf } from './file-refusals.ts';
import type { OwnCredentials } from '../sync/own-credentials.ts';
import type { Clock, FileTarget, HttpFetchFile, HttpFile } from '../ports.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

interface WriteOptions {
  readonly signal?: AbortSignal;
  /** 0 to 1; not called where the service does not say how long the file is. */
  readonly onProgress?: (share: number) => void;
}

export interface Files {
  /** @param url  absolute, or relative to the service */
  readonly fetch: (url: string) => Promise<Outcome<FetchedFile>>;
  /** Writes a file as it comes, however long it is. */
  readonly write: (
    url: string,
    target: Pick<FileTarget, 'write'>,
    how?: WriteOptions,
  ) => Promise<Outcome<null>>;
  readonly stop: () => void;
}

export interface FileParts {
  readonly fetchFile: HttpFetchFile;
  readonly clock: Clock;
  readonly cache: Pick<Cache, 'findFile' | 'putFile'>;
  /** The origin of the service; read for each file, because an office may be found elsewhere meanwhile. */
  readonly address: string;
  /** Other origins of the same service: what is named or kept by them is its file, too. */
  readonly otherAddresses?: () => readonly string[];
  readonly credentials: Pick<OwnCredentials, 'email' | 'key' | 'hasMoved'>;
}

const MIB = 1024 * 1024;
/** As much as a window can show at once. */
const MAX_BYTES = 64 * MIB;
/** Larger ones are fetched again: writing them would hold up everything else. */
const MAX_KEPT_BYTES = 16 * MIB;
const LIMIT_MS = 120_000;

/** Files of people, and their pictures. The API itself is not among them. */
const places = ['/user_uploads/', '/user_avatars/'];

/** What a page cannot run, even where it is opened by itself. Anything else may only be saved. */
const harmless =
  /^(image\/(avif|bmp|gif|jpeg|png|webp)|(audio|video)\/[\w.+-]+|application\/pdf|text\/plain)$/;

function typeOf(header: string): string {
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  return harmless.test(type) ? type : 'application/octet-stream';
}

const elsewhere = failure('NOT_OF_SERVICE', clientWords('file_not_of_service'));

/** The path at one of these origins, of which the first is the one in use. Every way of writing one and the same is one. */
function pathOf(url: string, origins: readonly string[]): string | null {
  for (const origin of origins) {
    const path = pathAt(url, origin);
    if (path !== null) return path;
  }
  return null;
}

/** It is filed under the address at which it was fetched. */
function findKept(
  cache: FileParts['cache'],
  path: string,
  origins: readonly string[],
): FetchedFile | null {
  for (const origin of origins) {
    const kept = cache.findFile(`${origin}${path}`);
    if (kept !== null) return kept;
  }
  return null;
}

function pathAt(url: string, origin: string): string | null {
  if (!URL.canParse(url, origin)) return null;
  const { origin: asked, pathname, search, username, password } = new URL(url, origin);
  if (asked !== new URL(origin).origin || username !== '' || password !== '') return null;
  // A path that the service would read as another one.
  if (/%(2f|5c|00)/i.test(pathname)) return null;
  if (!places.some((place) => pathname.startsWith(place))) return null;
  return `${pathname}${search}`;
}

export function createFiles(parts: FileParts): Files {
  const { cache } = parts;
  const running = new Map<string, Promise<Outcome<FetchedFile>>>();
  const stopping = new AbortController();

  /** A file that cannot be kept, or read again, can still be fetched. */
  function unlessDamaged<T>(run: () => T): T | null {
    try {
      return run();
    } catch (error) {
      if (error instanceof CacheError) return null;
      throw error;
    }
  }

  async function load(url: string): Promise<Outcome<FetchedFile>> {
    const { email, key } = parts.credentials;
    const first = await ask(parts, url, stopping.signal);
    const isOutdated = first?.status === 401 && (await parts.credentials.hasMoved({ email, key }));
    const file = isOutdated ? await ask(parts, url, stopping.signal) : first;
    if (file === undefined) return silentServer(parts.address);
    const fetched = judge(file);
    if (!fetched.ok) return fetched;
    const { type, bytes } = fetched.value;
    if (bytes.byteLength <= MAX_KEPT_BYTES) {
      unlessDamaged(() => {
        cache.putFile(url, type, bytes);
      });
    }
    return fetched;
  }

  interface Found {
    readonly url: string;
    readonly kept: FetchedFile | null;
  }

  /** Null for what is not of the service. */
  function find(asked: string): Found | null {
    const origins = [parts.address, ...(parts.otherAddresses?.() ?? [])];
    const path = pathOf(asked, origins);
    if (path === null) return null;
    const kept = unlessDamaged(() => findKept(cache, path, origins));
    return { url: `${parts.address}${path}`, kept };
  }

  async function write(
    asked: string,
    target: Pick<FileTarget, 'write'>,
    { signal, onProgress = () => undefined }: WriteOptions = {},
  ): Promise<Outcome<null>> {
    const found = find(asked);
    if (found === null) return elsewhere;
    const { url, kept } = found;
    if (kept !== null) {
      await target.write(kept.bytes);
      return success(null);
    }
    const { download } = await import('./downloads.ts');
    const signals = signal === undefined ? [stopping.signal] : [stopping.signal, signal];
    return download(parts, { url, target, onProgress, signal: AbortSignal.any(signals) });
  }

  return {
    fetch: async (asked) => {
      const found = find(asked);
      if (found === null) return elsewhere;
      const { url, kept } = found;
      if (kept !== null) return success(kept);
      const current = running.get(url);
      if (current !== undefined) return current;
      const loading = load(url).finally(() => {
        running.delete(url);
      });
      running.set(url, loading);
      return loading;
    },
    write,
    stop: () => {
      stopping.abort();
    },
  };
}

/** The answer, or undefined where none came in time. */
async function ask(
  { fetchFile, clock, credentials }: FileParts,
  url: string,
  stopped: AbortSignal,
): Promise<HttpFile | undefined> {
  const late = new AbortController();
  const settled = new AbortController();
  void clock.wait(LIMIT_MS, settled.signal).then(() => {
    late.abort();
  });
  try {
    return await fetchFile({
      method: 'GET',
      url,
      headers: authorization(credentials),
      maxBytes: MAX_BYTES,
      signal: AbortSignal.any([late.signal, stopped]),
    });
  } catch {
    // The port rejects for one reason only: there is no answer.
    return undefined;
  } finally {
    settled.abort();
  }
}

function judge({ status, type, bytes }: HttpFile): Outcome<FetchedFile> {
  if (status !== 200) return refusalOf(status);
  if (bytes === null) {
    const most = MAX_BYTES / MIB;
    return failure('FILE_TOO_LARGE', clientWords('file_too_large_to_show', { most }));
  }
  return success({ type: typeOf(type), bytes });
}
