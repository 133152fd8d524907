/** Files that are sent in pieces, and go on where they were after an interruption (API decisions 15.21). */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { Api } from '../transport/api.ts';
import type { ApiFailure, ApiOutcome } from '../transport/answers.ts';
import type { Clock, FileSource } from '../ports.ts';
import type { BegunUploads } from './upload-store.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

const KIB = 1024;
const FIRST_PIECE_BYTES = 512 * KIB;
const SMALLEST_PIECE_BYTES = 64 * KIB;
/** One piece is in memory at a time. */
const LARGEST_PIECE_BYTES = 8 * KIB * KIB;
/** Pieces grow while they take less, so that long files need few requests. */
const QUICK_MS = 2000;
const SLOW_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const MOST_FRUITLESS = 8;

export interface NamedFile extends FileSource {
  readonly name: string;
  readonly type: string;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

interface PieceOptions extends SendOptions {
  /** What an earlier attempt has begun; null for none. */
  readonly begun: string | null;
  /** Told of what can be gone on with. */
  readonly onBegun: (id: string) => void;
}

interface PieceParts {
  readonly api: Pick<Api, 'call' | 'sendPiece'>;
  /** What the service has a part of. */
  readonly begun: BegunUploads;
  readonly clock: Clock;
}

/** It may be another thing in a moment. */
const isPassing = ({ code }: ApiFailure): boolean =>
  code === 'UNREACHABLE' || code === 'RATE_LIMIT_HIT' || code === 'ORGANIZATION_ASLEEP';

class PieceUpload {
  readonly #parts: PieceParts;
  readonly #file: NamedFile;
  readonly #options: PieceOptions;
  #id = '';
  #offset = 0;
  /** Pieces in a row of which nothing came. */
  #fruitless = 0;
  #pieceBytes = FIRST_PIECE_BYTES;

  constructor(parts: PieceParts, file: NamedFile, options: PieceOptions) {
    this.#parts = parts;
    this.#file = file;
    this.#options = options;
  }

  async send(): Promise<ApiOutcome<string>> {
    const started = (await this.#resume()) ?? (await this.#begin());
    if (!started.ok) return started;
    while (this.#offset < this.#file.sizeBytes) {
      const refused = await this.#sendNext();
      if (refused !== null) return { ok: false, failure: refused };
    }
    const { finish } = endpoints.uploads;
    const finished = await this.#insist(() => this.#parts.api.call(finish, this.#named));
    return finished.ok ? success(finished.value.uri) : finished;
  }

  get #named() {
    return { uploadId: this.#id };
  }

  /** Null where there is nothing to go on with. */
  async #resume(): Promise<ApiOutcome<null> | null> {
    const { begun } = this.#options;
    if (begun === null) return null;
    this.#id = begun;
    const found = await this.#askOffset();
    return !found.ok && found.failure.code === 'BAD_REQUEST' ? null : found;
  }

  async #begin(): Promise<ApiOutcome<null>> {
    const { name, type, sizeBytes } = this.#file;
    const file = { name: name.toWellFormed(), size: sizeBytes, contentType: type };
    const { signal } = this.#options;
    const begun = await this.#parts.api.call(endpoints.uploads.begin, file, { signal });
    if (!begun.ok) return begun;
    this.#id = begun.value.upload_id;
    this.#offset = 0;
    this.#options.onBegun(this.#id);
    return success(null);
  }

  async #askOffset(): Promise<ApiOutcome<null>> {
    const { signal } = this.#options;
    const { state } = endpoints.uploads;
    const asked = await this.#insist(() => this.#parts.api.call(state, this.#named, { signal }));
    if (!asked.ok) return asked;
    if (asked.value.size !== this.#file.sizeBytes) {
      return failure('BAD_REQUEST', clientWords('file_another_by_now'));
    }
    this.#offset = asked.value.offset;
    return success(null);
  }

  /** Why the upload cannot go on; null where it can. */
  async #sendNext(): Promise<ApiFailure | null> {
    const { clock, api } = this.#parts;
    const { sizeBytes, read } = this.#file;
    const { signal, onProgress } = this.#options;
    const from = this.#offset;
    const part = await read(from, Math.min(from + this.#pieceBytes, sizeBytes));
    if (!part.ok) return part.failure;
    const bytes = part.value;
    const startedAt = clock.now();
    const sent = await api.sendPiece({ ...this.#named, offset: from }, bytes, {
      signal,
      onProgress: (share) => onProgress((from + share * bytes.byteLength) / sizeBytes),
    });
    const took = clock.now() - startedAt;
    if (sent.ok) {
      this.#offset = sent.value.offset;
      this.#fruitless = 0;
      if (took < QUICK_MS) this.#resize(2);
      else if (took > SLOW_MS) this.#resize(1 / 2);
      return null;
    }
    if (signal.aborted || !(isPassing(sent.failure) || sent.failure.code === 'BAD_REQUEST')) {
      return sent.failure;
    }
    this.#resize(1 / 2);
    return this.#recover(sent.failure);
  }

  /** A piece did not come through, or not all of it. */
  async #recover(reason: ApiFailure): Promise<ApiFailure | null> {
    const from = this.#offset;
    const asked = await this.#askOffset();
    if (!asked.ok) return asked.failure;
    if (this.#offset !== from) {
      this.#fruitless = 0;
      return null;
    }
    // What is refused where it belongs is refused for good, and so is what never comes through while everything else does.
    this.#fruitless += 1;
    if (!isPassing(reason) || this.#fruitless === MOST_FRUITLESS) return reason;
    await this.#pause(this.#fruitless, reason);
    return null;
  }

  #resize(factor: number): void {
    const size = Math.max(SMALLEST_PIECE_BYTES, this.#pieceBytes * factor);
    this.#pieceBytes = Math.min(size, LARGEST_PIECE_BYTES);
  }

  /** Asks until there is an answer that does not pass; whoever waits ends it by the signal. */
  async #insist<T>(ask: () => Promise<ApiOutcome<T>>): Promise<ApiOutcome<T>> {
    const { signal } = this.#options;
    for (let passed = 0; ; passed += 1) {
      const answer = await ask();
      if (answer.ok || signal.aborted || !isPassing(answer.failure)) return answer;
      await this.#pause(passed, answer.failure);
    }
  }

  #pause(doublings: number, { retryAfterMs }: ApiFailure): Promise<void> {
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** doublings, LONGEST_PAUSE_MS);
    return this.#parts.clock.wait(retryAfterMs ?? pauseMs, this.#options.signal);
  }
}

export interface PieceUploads {
  /** The address of the file, once all of it is there. What failed on the way goes on with the next call of its id. */
  readonly send: (
    uploadId: string,
    file: NamedFile,
    options: SendOptions,
  ) => Promise<ApiOutcome<string>>;
  /** Nobody wants it any more. */
  readonly abandon: (uploadId: string) => void;
}

export function createPieceUploads(parts: PieceParts): PieceUploads {
  const { begun } = parts;
  const abandon = (uploadId: string): void => {
    const id = begun.get(uploadId)?.id;
    begun.delete(uploadId);
    if (id !== undefined) void parts.api.call(endpoints.uploads.abandon, { uploadId: id });
  };
  return {
    async send(uploadId, file, options) {
      const { version } = file;
      // What came is of another file than the one that is there now.
      if (begun.get(uploadId)?.version !== version) abandon(uploadId);
      const outcome = await new PieceUpload(parts, file, {
        ...options,
        begun: begun.get(uploadId)?.id ?? null,
        onBegun: (id) => begun.set(uploadId, { id, version }),
      }).send();
      if (outcome.ok) begun.delete(uploadId);
      return outcome;
    },
    abandon,
  };
}
