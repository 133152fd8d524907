/** Uploads that outlive the page that began them: it leaves them, and the next one takes them. */
import type {
  BackgroundUpload,
  ResumedUpload,
  UploadRequest,
} from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure } from '#shared/bridge/outcome.ts';

/** Whoever waits for one that ended asks soon. */
const ENDED_KEPT = 100;

export interface BackgroundUploads {
  /** From here on it is known how the upload ends, whoever is there then. */
  readonly send: (request: UploadRequest) => Promise<Outcome<string>>;
  /** Sends the file of one that failed once more. UPLOAD_GONE where it is no longer here. */
  readonly retry: (uploadId: string) => Promise<Outcome<string>>;
  /** Nobody wants it any more. */
  readonly forget: (uploadId: string) => void;
  /** Files that are only here: under way, or failed and not taken away. */
  readonly countUnfinished: () => number;
  /** Told to the page too, whichever is there. */
  readonly progressed: (uploadId: string, share: number) => void;
  /** Those of a page that goes, in place of those that it left before. */
  readonly detach: (uploads: readonly BackgroundUpload[]) => null;
  /** They belong to whoever takes them. */
  readonly resume: () => readonly ResumedUpload[];
  /** Settles when it has ended. UPLOAD_GONE where nobody knows of it. */
  readonly outcome: (uploadId: string) => Promise<Outcome<string>>;
}

export interface BackgroundUploadParts {
  readonly send: (request: UploadRequest) => Promise<Outcome<string>>;
  readonly tell: (progress: { readonly uploadId: string; readonly share: number }) => void;
  /** Nobody will send its file any more. */
  readonly release: (uploadId: string) => void;
}

interface TrackedUpload {
  readonly outcome: Promise<Outcome<string>>;
  share: number;
  isRunning: boolean;
  /** Null where it has arrived, or nobody wants it any more. */
  request: UploadRequest | null;
}

export const uploadGone = failure('UPLOAD_GONE', 'The upload did not go on. Attach the file again.');

const isWanted = (outcome: Outcome<string>): boolean =>
  !outcome.ok && outcome.failure.code !== 'CANCELLED';

/** In the order in which they were begun. */
class SentFiles {
  readonly #parts: BackgroundUploadParts;
  readonly #all = new Map<string, TrackedUpload>();

  constructor(parts: BackgroundUploadParts) {
    this.#parts = parts;
  }

  find(uploadId: string): TrackedUpload | undefined {
    return this.#all.get(uploadId);
  }

  countUnfinished(): number {
    return [...this.#all.values()].filter(({ request }) => request !== null).length;
  }

  send(request: UploadRequest): Promise<Outcome<string>> {
    const { uploadId } = request;
    const outcome = this.#parts.send(request);
    const upload: TrackedUpload = { outcome, share: 0, isRunning: true, request };
    this.#all.delete(uploadId);
    this.#all.set(uploadId, upload);
    const end = (isKept: boolean): void => {
      upload.isRunning = false;
      if (!isKept || upload.request === null) this.#drop(uploadId, upload);
      this.#forgetOldest();
    };
    outcome.then(
      (result) => {
        end(isWanted(result));
      },
      () => {
        end(true);
      },
    );
    return outcome;
  }

  forget(uploadId: string): void {
    const upload = this.#all.get(uploadId);
    if (upload?.isRunning === true) upload.request = null;
    else this.#drop(uploadId, upload);
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

export function createBackgroundUploads(parts: BackgroundUploadParts): BackgroundUploads {
  const files = new SentFiles(parts);
  let left: readonly BackgroundUpload[] = [];
  return {
    send: (request) =>
      files.find(request.uploadId)?.isRunning === true ? parts.send(request) : files.send(request),
    retry: async (uploadId) => {
      const upload = files.find(uploadId);
      if (upload?.isRunning === true) return upload.outcome;
      const request = upload?.request ?? null;
      return request === null ? uploadGone : files.send(request);
    },
    forget: (uploadId) => {
      files.forget(uploadId);
    },
    countUnfinished: () => files.countUnfinished(),
    progressed: (uploadId, share) => {
      const upload = files.find(uploadId);
      if (upload !== undefined) upload.share = share;
      parts.tell({ uploadId, share });
    },
    detach: (uploads) => {
      left = uploads;
      return null;
    },
    resume: () => {
      const taken = left.map((each) => {
        const upload = files.find(each.uploadId);
        const canRetry = upload !== undefined && upload.request !== null;
        return { ...each, share: upload?.share ?? each.share, canRetry };
      });
      left = [];
      return taken;
    },
    outcome: async (uploadId) => files.find(uploadId)?.outcome ?? uploadGone,
  };
}
