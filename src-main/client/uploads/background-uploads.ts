/** Uploads that outlive the page that began them, and the program where it has a store: the next one takes them. */
import type {
  BackgroundUpload,
  ResumedUpload,
  UploadRequest,
} from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { BegunUpload, BegunUploads, StoredUpload, UploadStore } from './upload-store.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** Whoever waits for one that ended asks soon. */
const ENDED_KEPT = 100;

export interface BackgroundUploads {
  /** From here on it is known how the upload ends, whoever is there then. */
  readonly send: (request: UploadRequest) => Promise<Outcome<string>>;
  /** Sends the file of one that failed once more. UPLOAD_GONE where it is no longer here. */
  readonly retry: (uploadId: string) => Promise<Outcome<string>>;
  /** Nobody wants it any more. */
  readonly forget: (uploadId: string) => void;
  /** The account goes, with all of them. */
  readonly forgetAll: () => void;
  /** Files that are only here: under way, or failed and not taken away. */
  readonly countUnfinished: () => number;
  /** Told to the page too, whichever is there. */
  readonly progressed: (uploadId: string, share: number) => void;
  /** Those of a page, in place of those that it, or the one before, told of. */
  readonly note: (uploads: readonly BackgroundUpload[]) => null;
  /** They belong to whoever takes them. */
  readonly resume: () => Promise<readonly ResumedUpload[]>;
  /** Settles when it has ended. UPLOAD_GONE where nobody knows of it. */
  readonly outcome: (uploadId: string) => Promise<Outcome<string>>;
  readonly begun: BegunUploads;
  /** Nothing is sent or written any more. */
  readonly stop: () => void;
}

export interface BackgroundUploadParts {
  readonly send: (request: UploadRequest) => Promise<Outcome<string>>;
  readonly tell: (progress: { readonly uploadId: string; readonly share: number }) => void;
  /** Nobody will send its file any more. */
  readonly release: (uploadId: string) => void;
  /** Absent where nothing outlives the program. */
  readonly store?: UploadStore | undefined;
}

interface TrackedUpload {
  readonly type: string;
  readonly outcome: Promise<Outcome<string>>;
  share: number;
  isRunning: boolean;
  /** Null where it has arrived, or nobody wants it any more. */
  request: UploadRequest | null;
  /** Its address, once it has arrived. */
  uri: string | null;
}

export const uploadGone = failure('UPLOAD_GONE', clientWords('upload_gone'));

const isWanted = (outcome: Outcome<string>): boolean =>
  !outcome.ok && outcome.failure.code !== 'CANCELLED';

/** In the order in which they were begun. */
class SentFiles {
  readonly #parts: Pick<BackgroundUploadParts, 'send' | 'release'>;
  readonly #changed: () => void;
  readonly #all = new Map<string, TrackedUpload>();

  constructor(parts: Pick<BackgroundUploadParts, 'send' | 'release'>, changed: () => void) {
    this.#parts = parts;
    this.#changed = changed;
  }

  find(uploadId: string): TrackedUpload | undefined {
    return this.#all.get(uploadId);
  }

  countUnfinished(): number {
    return [...this.#all.values()].filter(({ request }) => request !== null).length;
  }

  send(request: UploadRequest): Promise<Outcome<string>> {
    const { uploadId, type } = request;
    const outcome = this.#parts.send(request);
    const share = this.#all.get(uploadId)?.share ?? 0;
    const upload: TrackedUpload = { type, outcome, share, isRunning: true, request, uri: null };
    this.#all.delete(uploadId);
    this.#all.set(uploadId, upload);
    const end = (isKept: boolean): void => {
      upload.isRunning = false;
      if (!isKept || upload.request === null) this.#drop(uploadId, upload);
      this.#forgetOldest();
      this.#changed();
    };
    outcome.then(
      (result) => {
        if (result.ok) upload.uri = result.value;
        end(isWanted(result));
      },
      () => {
        end(true);
      },
    );
    this.#changed();
    return outcome;
  }

  /** One that ended before the program did. */
  restore(request: UploadRequest, outcome: Outcome<string>): void {
    this.#all.set(request.uploadId, {
      type: request.type,
      share: 0,
      isRunning: false,
      outcome: Promise.resolve(outcome),
      request: outcome.ok ? null : request,
      uri: outcome.ok ? outcome.value : null,
    });
  }

  forget(uploadId: string): void {
    const upload = this.#all.get(uploadId);
    if (upload?.isRunning === true) upload.request = null;
    else this.#drop(uploadId, upload);
  }

  forgetAll(): void {
    for (const uploadId of this.#all.keys()) this.#parts.release(uploadId);
    this.#all.clear();
  }

  #drop(uploadId: string, upload?: TrackedUpload): void {
    if (upload !== undefined) upload.request = null;
    this.#parts.release(uploadId);
  }

  #forgetOldest(): void {
    const ended = [...this.#all].filter(([, { isRunning }]) => !isRunning);
    for (const [uploadId, upload] of ended.slice(0, -ENDED_KEPT)) {
      this.#drop(uploadId, upload);
      this.#all.delete(uploadId);
    }
  }
}

/** What is on the disk, or on its way there. */
class WrittenUploads {
  readonly #store: UploadStore | undefined;
  #text = '[]';

  constructor(store: UploadStore | undefined) {
    this.#store = store;
  }

  async read(): Promise<readonly StoredUpload[]> {
    // What cannot be read is attached again.
    const stored = (await this.#store?.read().catch(() => [])) ?? [];
    this.#text = JSON.stringify(stored);
    return stored;
  }

  write(uploads: readonly StoredUpload[]): void {
    const text = JSON.stringify(uploads);
    if (this.#store === undefined || text === this.#text) return;
    this.#text = text;
    // They go on all the same; only the next start would not know of them.
    this.#store.write(uploads).catch(() => (this.#text = ''));
  }
}

const storedOf = (
  upload: BackgroundUpload,
  files: SentFiles,
  begun: BegunUploads,
): StoredUpload => ({
  ...upload,
  share: 0,
  type: files.find(upload.uploadId)?.type ?? '',
  begun: begun.get(upload.uploadId) ?? null,
  uri: files.find(upload.uploadId)?.uri ?? null,
});

/** The same, and whoever wants to hear of new ones does. */
const telling = (begun: Map<string, BegunUpload>, changed: () => void): BegunUploads => ({
  get: (uploadId) => begun.get(uploadId),
  set: (uploadId, upload) => {
    begun.set(uploadId, upload);
    changed();
    return begun;
  },
  delete: (uploadId) => begun.delete(uploadId),
});

export function createBackgroundUploads(parts: BackgroundUploadParts): BackgroundUploads {
  const begunUploads = new Map<string, BegunUpload>();
  let isStopped = false;
  let noted: readonly BackgroundUpload[] = [];
  let left: readonly BackgroundUpload[] = [];
  const written = new WrittenUploads(parts.store);
  const changed = (): void => {
    if (isStopped) return;
    written.write(noted.map((each) => storedOf(each, files, begunUploads)));
  };
  const files = new SentFiles(parts, changed);
  const ready = load();

  async function load(): Promise<void> {
    const stored = await written.read();
    if (isStopped || stored.length === 0) return;
    const uploads = stored.map(({ type: _type, begun: _begun, uri: _uri, ...upload }) => upload);
    const isNew = ({ uploadId }: BackgroundUpload): boolean =>
      uploads.every((each) => each.uploadId !== uploadId);
    noted = [...uploads, ...noted.filter(isNew)];
    left = noted;
    for (const { uploadId, name, type, begun, uri, failure: reason } of stored) {
      if (begun !== null) begunUploads.set(uploadId, begun);
      const request = { uploadId, name, type };
      if (uri !== null) files.restore(request, success(uri));
      else if (reason !== '') files.restore(request, failure('UPLOAD_FAILED', reason));
      // Whoever waits for it hears how it ends.
      else files.send(request).catch(() => undefined);
    }
  }

  return {
    send: (request) =>
      files.find(request.uploadId)?.isRunning === true ? parts.send(request) : files.send(request),
    retry: async (uploadId) => {
      await ready;
      const upload = files.find(uploadId);
      if (upload?.isRunning === true) return upload.outcome;
      const request = upload?.request ?? null;
      return request === null ? uploadGone : files.send(request);
    },
    forget: (uploadId) => {
      files.forget(uploadId);
    },
    forgetAll: () => {
      files.forgetAll();
      for (const { uploadId } of noted) parts.release(uploadId);
    },
    countUnfinished: () => files.countUnfinished(),
    progressed: (uploadId, share) => {
      const upload = files.find(uploadId);
      if (upload !== undefined) upload.share = share;
      parts.tell({ uploadId, share });
    },
    note: (uploads) => {
      [noted, left] = [uploads, uploads];
      changed();
      return null;
    },
    resume: async () => {
      await ready;
      const taken = left.map((each) => {
        const upload = files.find(each.uploadId);
        const canRetry = upload !== undefined && upload.request !== null;
        return { ...each, share: upload?.share ?? each.share, canRetry };
      });
      left = [];
      return taken;
    },
    outcome: async (uploadId) => {
      await ready;
      return files.find(uploadId)?.outcome ?? uploadGone;
    },
    begun: telling(begunUploads, changed),
    stop: () => {
      isStopped = true;
    },
  };
}
