/** Files on their way to the service. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import { measurePicture } from '#shared/pictures/measure.ts';
import { PICTURE_MIB, PICTURE_SIDE } from '#shared/api/bounds.ts';
import { isSmallPicture } from '#shared/pictures/size.ts';
import type { PictureRequest, UploadRequest } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type {
  FileRequestName,
  RequestArguments,
  RequestResult,
} from '#shared/bridge/requestable.ts';
import type { Api } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import { answer } from '../transport/answers.ts';
import { type StallWatch, watchStall } from '../transport/stall.ts';
import type { Clock, HeldFiles } from '../ports.ts';
import type { NamedFile, PieceUploads, SendOptions } from './pieces.ts';
import { inSteps } from './progress-steps.ts';
import { Turns } from './turns.ts';
import type { BegunUploads } from './upload-store.ts';
import { checkFileRequest } from '../transport/requests.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface Uploads {
  /** The address by which a message links to the file. CANCELLED where somebody cancelled it. */
  readonly upload: (request: UploadRequest) => Promise<Outcome<string>>;
  readonly requestWithFile: <N extends FileRequestName>(
    name: N,
    args: RequestArguments<N>,
    file: PictureRequest,
  ) => Promise<Outcome<RequestResult<N>>>;
  /** One that has ended, or never was, changes nothing. */
  readonly cancel: (uploadId: string) => void;
  readonly stop: () => void;
}

export interface UploadParts {
  readonly api: Pick<Api, 'upload' | 'call' | 'sendPiece'>;
  readonly clock: Clock;
  readonly files: Pick<HeldFiles, 'open'>;
  readonly begun: BegunUploads;
  /** What the service takes; null while that is not known. */
  readonly maxUploadMiB: () => number | null;
  /** 0 to 1, ascending. */
  readonly progress: (uploadId: string, share: number) => void;
}

const MIB = 1024 * 1024;
/** Shorter ones go in one request. */
const WHOLE_BYTES = MIB;
/** At a time: of each a piece is in memory, and a browser has few connections. */
const MOST_LONG = 3;
/** What a service of before takes in one request, for which all of it is in memory. */
const MOST_WHOLE_MIB = 250;
/** The stall limit decides; this one is only never. */
const NEVER_MS = 24 * 60 * 60 * 1000;

const cancelled = failure('CANCELLED', clientWords('upload_cancelled'));
const stopped = failure('UPLOAD_STOPPED', clientWords('upload_interrupted'));

function checkSize(
  { name, sizeBytes }: Pick<NamedFile, 'name' | 'sizeBytes'>,
  maxMiB: number | null,
): Outcome<never> | null {
  if (sizeBytes === 0) return failure('FILE_EMPTY', clientWords('file_empty', { name }));
  if (maxMiB === null || sizeBytes <= maxMiB * MIB) return null;
  const size = (sizeBytes / MIB).toFixed(1);
  return failure('FILE_TOO_LARGE', clientWords('file_over_limit', { name, size, most: maxMiB }));
}

/** What is no picture at all the service says. */
function checkPixels({ name, bytes }: PictureRequest): Outcome<never> | null {
  const picture = measurePicture(bytes);
  if (picture === null || isSmallPicture(picture)) return null;
  const { width, height, frames } = picture;
  return failure(
    'FILE_TOO_LARGE',
    Math.max(width, height) > PICTURE_SIDE
      ? clientWords('picture_too_wide', { name, width, height, side: PICTURE_SIDE })
      : clientWords('picture_too_long', { name, width, height, frames }),
  );
}

interface WatchedOptions extends SendOptions {
  /** Somebody ended it; `signal` aborts too where nothing moves for long. */
  readonly ended: AbortSignal;
}

type SendHeld = (request: UploadRequest, options: WatchedOptions) => Promise<ApiOutcome<string>>;

/** Sends files that were handed over: short ones in one request, long ones in pieces. */
function heldSender(parts: UploadParts, loadPieces: () => Promise<PieceUploads>): SendHeld {
  const { api } = parts;
  const turns = new Turns(MOST_LONG);

  async function sendWhole(file: NamedFile, options: SendOptions): Promise<ApiOutcome<string>> {
    options.onProgress(0);
    const read = await file.read(0, file.sizeBytes);
    if (!read.ok) return read;
    const { upload } = endpoints.uploads;
    const { name, type } = file;
    const sent = await api.upload(
      upload,
      {},
      { name, type, bytes: read.value },
      { ...options, limitMs: NEVER_MS },
    );
    return sent.ok ? success(sent.value.uri) : sent;
  }

  async function sendFile(
    uploadId: string,
    file: NamedFile,
    options: WatchedOptions,
  ): Promise<ApiOutcome<string>> {
    const refused = checkSize(file, parts.maxUploadMiB());
    if (refused !== null) return refused;
    if (file.sizeBytes <= WHOLE_BYTES) return sendWhole(file, options);
    const { ended: signal, onProgress } = options;
    const sent = await turns.take(signal, async () =>
      // It goes on when the network is back, however long that takes.
      (await loadPieces()).send(uploadId, file, { signal, onProgress }),
    );
    if (sent === null) return cancelled;
    // A service of before takes files whole.
    if (sent.ok || sent.failure.code !== 'NOT_FOUND') return sent;
    return checkSize(file, MOST_WHOLE_MIB) ?? sendWhole(file, options);
  }

  return async ({ uploadId, name, type }, options) => {
    const opened = await parts.files.open(uploadId);
    if (!opened.ok) return opened;
    const file = { ...opened.value, name, type };
    try {
      return await sendFile(uploadId, file, options);
    } finally {
      await file.close();
    }
  };
}

export function createUploads(parts: UploadParts): Uploads {
  const running = new Map<string, AbortController>();
  let isStopped = false;
  let pieces: Promise<PieceUploads> | undefined;
  /** With the first long file: a page that only reads needs none of it. */
  const loadPieces = (): Promise<PieceUploads> =>
    (pieces ??= import('./pieces.ts').then((loaded) => loaded.createPieceUploads(parts)));
  const sendHeld = heldSender(parts, loadPieces);

  async function watched<T>(
    { uploadId, name }: UploadRequest,
    work: (options: WatchedOptions) => Promise<ApiOutcome<T>>,
  ): Promise<ApiOutcome<T>> {
    if (running.has(uploadId)) {
      return failure('UPLOAD_RUNNING', clientWords('upload_already_running', { name }));
    }
    const cancelling = new AbortController();
    running.set(uploadId, cancelling);
    const watch = watchProgress(parts, uploadId);
    try {
      const outcome = await work({
        signal: AbortSignal.any([cancelling.signal, watch.stalled]),
        onProgress: watch.report,
        ended: cancelling.signal,
      });
      if (outcome.ok || !cancelling.signal.aborted) return outcome;
      return isStopped ? stopped : cancelled;
    } finally {
      watch.end();
      running.delete(uploadId);
    }
  }

  return {
    upload: async (request) => {
      const outcome = await watched(request, (options) => sendHeld(request, options));
      if (!outcome.ok && outcome.failure.code === 'CANCELLED') {
        (await pieces)?.abandon(request.uploadId);
      }
      return answer(outcome, (uri) => uri);
    },
    requestWithFile: async (name, args, file) => {
      const checked = checkFileRequest(name, args);
      if (!checked.ok) return checked;
      const size = { name: file.name, sizeBytes: file.bytes.byteLength };
      const refused = checkSize(size, PICTURE_MIB) ?? checkPixels(file);
      if (refused !== null) return refused;
      const { endpoint, args: checkedArgs } = checked.value;
      const outcome = await watched(file, (options) => {
        options.onProgress(0);
        return parts.api.upload(endpoint, checkedArgs, file, { ...options, limitMs: NEVER_MS });
      });
      return answer(outcome, (result) => result as RequestResult<typeof name>);
    },
    cancel: (uploadId) => {
      const sending = running.get(uploadId);
      if (sending === undefined) void pieces?.then(({ abandon }) => abandon(uploadId));
      else sending.abort();
    },
    stop: () => {
      isStopped = true;
      for (const controller of running.values()) controller.abort();
    },
  };
}

interface ProgressWatch extends Pick<StallWatch, 'stalled' | 'end'> {
  readonly report: (share: number) => void;
}

function watchProgress({ clock, progress }: UploadParts, uploadId: string): ProgressWatch {
  const watch = watchStall(clock);
  const show = inSteps((share) => {
    progress(uploadId, share);
  });
  let isEnded = false;
  return {
    report: (share) => {
      watch.moved();
      if (!isEnded) show(share);
    },
    stalled: watch.stalled,
    end: () => {
      isEnded = true;
      watch.end();
    },
  };
}
