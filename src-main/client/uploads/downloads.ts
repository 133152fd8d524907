/** Files of the service on their way to a disk, as they come: no more than a piece of one is in memory. */
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { authorization } from '../transport/api.ts';
import { watchStall } from '../transport/stall.ts';
import type { Clock, FileTarget, HttpFetchFile, HttpFile } from '../ports.ts';
import type { OwnCredentials } from '../sync/own-credentials.ts';
import { refusalOf } from './file-refusals.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** Without a byte in between. */
const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 250;

export interface DownloadParts {
  readonly fetchFile: HttpFetchFile;
  readonly clock: Clock;
  readonly credentials: Pick<OwnCredentials, 'email' | 'key' | 'hasMoved'>;
}

interface Download {
  readonly url: string;
  readonly target: Pick<FileTarget, 'write'>;
  readonly signal: AbortSignal;
  /** 0 to 1; not called where the service does not say how long the file is. */
  readonly onProgress: (share: number) => void;
}

const cancelled = failure('CANCELLED', clientWords('download_cancelled'));
const notStored = failure('NOT_STORED', clientWords('download_not_stored'));

/** One request for what is still missing of a file. */
class Attempt {
  readonly #parts: DownloadParts;
  readonly #download: Download;
  readonly #from: number;
  /** How much of the file is written. */
  at: number;
  isUnwritable = false;

  constructor(parts: DownloadParts, download: Download, from: number) {
    this.#parts = parts;
    this.#download = download;
    this.#from = this.at = from;
  }

  /** The answer, or undefined where none came whole. */
  async run(): Promise<HttpFile | undefined> {
    const { fetchFile, clock, credentials } = this.#parts;
    const { url, signal, target, onProgress } = this.#download;
    const watch = watchStall(clock);
    watch.moved();
    /** A service that sends everything again sends this first. */
    let known = this.#from;
    try {
      return await fetchFile({
        method: 'GET',
        url,
        headers: {
          ...authorization(credentials),
          ...(this.#from === 0 ? {} : { Range: `bytes=${String(this.#from)}-` }),
        },
        maxBytes: Infinity,
        signal: AbortSignal.any([watch.stalled, signal]),
        onBytes: async (bytes, { isPart, totalBytes }) => {
          watch.moved();
          if (isPart) known = 0;
          const fresh = bytes.subarray(known);
          known -= bytes.length - fresh.length;
          try {
            await target.write(fresh);
          } catch (error) {
            this.isUnwritable = true;
            throw error;
          }
          this.at += fresh.length;
          if (totalBytes !== null) onProgress(this.at / totalBytes);
        },
      });
    } catch {
      return undefined;
    } finally {
      watch.end();
    }
  }
}

/** Of a file that has come to its end nothing is left to ask for. */
const isWhole = ({ status }: HttpFile, at: number): boolean =>
  status === 200 || status === 206 || (status === 416 && at > 0);

/** Writes all of it. After an interruption it goes on with what has not come yet. */
export async function download(parts: DownloadParts, wanted: Download): Promise<Outcome<null>> {
  const { clock, credentials } = parts;
  let hasAskedAgain = false;
  let at = 0;
  for (let attempts = 1; ; attempts += 1) {
    const { email, key } = credentials;
    const attempt = new Attempt(parts, wanted, at);
    const answer = await attempt.run();
    if (attempt.isUnwritable) return notStored;
    if (wanted.signal.aborted) return cancelled;
    if (attempt.at > at) attempts = 0;
    at = attempt.at;
    if (answer?.status === 401 && !hasAskedAgain && (await credentials.hasMoved({ email, key }))) {
      hasAskedAgain = true;
    } else if (answer !== undefined) {
      return isWhole(answer, at) ? success(null) : refusalOf(answer.status);
    } else if (attempts >= MOST_ATTEMPTS) {
      return failure('UNREACHABLE', clientWords('service_not_answering'));
    } else {
      await clock.wait(FIRST_PAUSE_MS * 2 ** attempts, wanted.signal);
    }
  }
}
