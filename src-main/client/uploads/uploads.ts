/** Files on their way to the service. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { AnswerOf, AnyEndpoint, ArgumentsOf } from '#shared/api/endpoint.ts';
import { measurePicture } from '#shared/pictures/measure.ts';
import { isSmallPicture, MAX_SMALL_SIDE } from '#shared/pictures/size.ts';
import type { UploadRequest } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure } from '#shared/bridge/outcome.ts';
import type {
  FileRequestName,
  RequestArguments,
  RequestResult,
} from '#shared/bridge/requestable.ts';
import type { Api, ApiOutcome } from '../transport/api.ts';
import { answer, refusal } from '../transport/api.ts';
import type { Clock } from '../ports.ts';
import type { FileSource, PieceUploads, SendOptions } from './pieces.ts';
import { checkFileRequest } from '../transport/requests.ts';

export interface Uploads {
  /** The address by which a message links to the file. CANCELLED where somebody cancelled it. */
  readonly upload: (request: UploadRequest) => Promise<Outcome<string>>;
  readonly requestWithFile: <N extends FileRequestName>(
    name: N,
    args: RequestArguments<N>,
    file: UploadRequest,
  ) => Promise<Outcome<RequestResult<N>>>;
  /** One that has ended, or never was, changes nothing. */
  readonly cancel: (uploadId: string) => void;
  readonly stop: () => void;
}

export interface UploadParts {
  readonly api: Pick<Api, 'upload' | 'call' | 'sendPiece'>;
  readonly clock: Clock;
  /** What the service takes; null while that is not known. */
  readonly maxUploadMiB: () => number | null;
  /** 0 to 1, ascending. */
  readonly progress: (uploadId: string, share: number) => void;
}

const MIB = 1024 * 1024;
/** Shorter ones go in one request. */
const WHOLE_BYTES = MIB;
/** Pictures of people and emoji (API decisions 13). */
const MAX_PICTURE_MIB = 5;
/** Longer than a connection worth waiting for moves nothing, or a service takes to store a file. */
const STALL_MS = 60_000;
/** The stall limit decides; this one is only never. */
const NEVER_MS = 24 * 60 * 60 * 1000;

/** Told no more often than it can be seen. */
const SMALLEST_STEP = 0.005;

const cancelled = failure('CANCELLED', 'The upload was cancelled.');

function checkSize({ name, bytes }: UploadRequest, maxMiB: number | null): Outcome<never> | null {
  if (maxMiB === null || bytes.byteLength <= maxMiB * MIB) return null;
  const size = (bytes.byteLength / MIB).toFixed(1);
  return failure(
    'FILE_TOO_LARGE',
    `${name} has ${size} MiB; at most ${String(maxMiB)} MiB can be uploaded.`,
  );
}

/** What is no picture at all the service says. */
function checkPixels({ name, bytes }: UploadRequest): Outcome<never> | null {
  const picture = measurePicture(bytes);
  if (picture === null || isSmallPicture(picture)) return null;
  const { width, height, frames } = picture;
  const side = String(MAX_SMALL_SIDE);
  const has = `${name} has ${String(width)} × ${String(height)} pixels`;
  return failure(
    'FILE_TOO_LARGE',
    Math.max(width, height) > MAX_SMALL_SIDE
      ? `${has}; choose one of at most ${side} × ${side}.`
      : `${has} in ${String(frames)} moments; choose a smaller or a shorter one.`,
  );
}

const sourceOf = ({ name, type }: UploadRequest, bytes: Uint8Array<ArrayBuffer>): FileSource => ({
  name,
  type,
  sizeBytes: bytes.byteLength,
  read: async (from, to) => bytes.subarray(from, to),
});

export function createUploads(parts: UploadParts): Uploads {
  const { api } = parts;
  const running = new Map<string, AbortController>();
  let pieces: Promise<PieceUploads> | undefined;
  /** With the first long file: a page that only reads needs none of it. */
  const loadPieces = (): Promise<PieceUploads> =>
    (pieces ??= import('./pieces.ts').then((loaded) => loaded.createPieceUploads(parts)));

  async function watched<T>(
    { uploadId, name }: UploadRequest,
    work: (options: SendOptions) => Promise<ApiOutcome<T>>,
  ): Promise<ApiOutcome<T>> {
    if (running.has(uploadId)) {
      return failure('UPLOAD_RUNNING', `${name} is being uploaded already.`);
    }
    const cancelling = new AbortController();
    running.set(uploadId, cancelling);
    const watch = watchProgress(parts, uploadId);
    try {
      const outcome = await work({
        signal: AbortSignal.any([cancelling.signal, watch.stalled]),
        onProgress: watch.report,
      });
      return !outcome.ok && cancelling.signal.aborted ? cancelled : outcome;
    } finally {
      watch.end();
      running.delete(uploadId);
    }
  }

  async function send<E extends AnyEndpoint, R>(
    endpoint: E,
    args: ArgumentsOf<E>,
    file: UploadRequest,
    translate: (result: AnswerOf<E>) => R,
  ): Promise<Outcome<R>> {
    const outcome = await watched(file, (options) =>
      api.upload(endpoint, args, file, { ...options, limitMs: NEVER_MS }),
    );
    return answer(outcome, translate);
  }

  const sendWhole = (file: UploadRequest): Promise<Outcome<string>> =>
    send(endpoints.uploads.upload, {}, file, ({ uri }) => uri);

  async function sendLong(file: UploadRequest): Promise<Outcome<string>> {
    const { uploadId, bytes } = file;
    const outcome = await watched(file, async (options) =>
      (await loadPieces()).send(uploadId, sourceOf(file, bytes), options),
    );
    if (outcome.ok) return answer(outcome, (uri) => uri);
    if (outcome.failure.code === 'CANCELLED') (await loadPieces()).abandon(uploadId);
    // A service of before takes files whole.
    return outcome.failure.code === 'NOT_FOUND' ? sendWhole(file) : refusal(outcome.failure);
  }

  return {
    upload: async (request) => {
      const tooLarge = checkSize(request, parts.maxUploadMiB());
      if (tooLarge !== null) return tooLarge;
      return request.bytes.byteLength > WHOLE_BYTES ? sendLong(request) : sendWhole(request);
    },
    requestWithFile: async (name, args, file) => {
      const checked = checkFileRequest(name, args);
      if (!checked.ok) return checked;
      const tooLarge = checkSize(file, MAX_PICTURE_MIB) ?? checkPixels(file);
      if (tooLarge !== null) return tooLarge;
      const { endpoint, args: checkedArgs } = checked.value;
      return send(endpoint, checkedArgs, file, (result) => result as RequestResult<typeof name>);
    },
    cancel: (uploadId) => {
      const sending = running.get(uploadId);
      if (sending === undefined) void pieces?.then(({ abandon }) => abandon(uploadId));
      else sending.abort();
    },
    stop: () => {
      for (const controller of running.values()) controller.abort();
    },
  };
}

interface Watch {
  readonly report: (share: number) => void;
  /** Aborted when nothing has moved for long. */
  readonly stalled: AbortSignal;
  readonly end: () => void;
}

function watchProgress({ clock, progress }: UploadParts, uploadId: string): Watch {
  const stalled = new AbortController();
  const ended = new AbortController();
  let shown = 0;
  let movedAt = clock.now();
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const left = movedAt + STALL_MS - clock.now();
      if (left <= 0) {
        stalled.abort();
        return;
      }
      await clock.wait(left, ended.signal);
    }
  };
  void watch();
  return {
    report: (share) => {
      movedAt = clock.now();
      if (ended.signal.aborted || share <= shown) return;
      if (share < 1 && share - shown < SMALLEST_STEP) return;
      shown = Math.min(share, 1);
      progress(uploadId, shown);
    },
    stalled: stalled.signal,
    end: () => {
      ended.abort();
    },
  };
}
