/** Uploads that come in pieces and go on after an interruption (API decisions 15.21). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import type { Operation, Reading, Store, UnfinishedUpload } from '#service/db/port.ts';
import { describeFile, randomLetters } from '../rules/file-types.ts';
import { checkUploadBytes } from '../rules/upload-limits.ts';
import { uploadPlace } from './file-paths.ts';
import { checkQuotas, checkUnfinished, type StoringFiles } from './upload-quotas.ts';
import { PREFIX } from './uploads.ts';

/** Without a piece for so long, what has come is thrown away. */
const KEPT_SECONDS = 24 * 60 * 60;

interface NewFile {
  readonly name: string;
  readonly size: number;
  readonly contentType: string | undefined;
}

export interface PieceOperations {
  /** @throws BAD_REQUEST, REALM_UPLOAD_QUOTA */
  readonly begin: (caller: Caller, file: NewFile) => Promise<UnfinishedUpload>;
  /** What is there for certain. */
  readonly find: (caller: Caller, id: string) => Promise<UnfinishedUpload>;
  /**
   * Takes the piece at an offset; what came of one that broke off stays.
   * @throws BAD_REQUEST unless it begins where the last one ended, and within the size
   */
  readonly addPiece: (
    caller: Caller,
    at: { readonly id: string; readonly offset: number },
    piece: AsyncIterable<Uint8Array>,
  ) => Promise<UnfinishedUpload>;
  /** Again and again the same address. */
  readonly finish: (caller: Caller, id: string) => Promise<string>;
  readonly abandon: (caller: Caller, id: string) => Promise<void>;
  /** Removes those of which nothing has come for a day. */
  readonly trim: () => Promise<void>;
}

export const expiryOf = ({ moved_at: movedAt }: UnfinishedUpload): number => movedAt + KEPT_SECONDS;

const takenOver = (): Error => refusal('upload_superseded');

/** One request at a time works on an upload. A newer one ends the one before, whose sender may be gone unnoticed. */
class Turns {
  readonly #running = new Map<string, { readonly end: () => void; over: Promise<unknown> }>();

  async take<T>(id: string, work: (ended: Promise<never>) => Promise<T>): Promise<T> {
    const before = this.#running.get(id);
    before?.end();
    const { promise: ended, reject } = Promise.withResolvers<never>();
    ended.catch(() => undefined);
    const waited = (before?.over ?? Promise.resolve()).catch(() => undefined);
    const over = waited.then(() => work(ended));
    const turn = { end: () => reject(takenOver()), over };
    this.#running.set(id, turn);
    try {
      return await over;
    } finally {
      if (this.#running.get(id) === turn) this.#running.delete(id);
    }
  }
}

/** The same pieces, until somebody else goes on. */
async function* until<T>(ended: Promise<never>, pieces: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([ended, iterator.next()]);
    if (next.done === true) return;
    yield next.value;
  }
}

/** Somebody else's is answered as none. @throws BAD_REQUEST */
function* findOwn(tx: Reading, caller: Caller, id: string): Operation<UnfinishedUpload> {
  const row = yield* tx.findUnfinishedUpload(id);
  if (row?.owner_id !== caller.userId) throw refusal('no_such_upload');
  return row;
}

function checkOffset(row: UnfinishedUpload, offset: number): void {
  if (row.is_finished === 1) throw refusal('upload_finished');
  if (row.received_bytes === offset) return;
  throw refusal('upload_offset_wrong', { offset: row.received_bytes, given: offset });
}

interface PieceParts {
  readonly store: Store;
  readonly context: Pick<DomainContext, 'files' | 'limits' | 'nowSeconds'>;
  readonly storing: StoringFiles;
  readonly mostUploadBytes: () => Promise<number>;
}

/** Writes what comes of a piece. @returns how much came, and why no more of it did */
async function writePiece(
  { files }: Pick<DomainContext, 'files'>,
  row: UnfinishedUpload,
  piece: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly failure?: Error }> {
  const { size_bytes: sizeBytes, received_bytes: from } = row;
  // What was announced was looked for when it began.
  const writer = await files.writeFrom(uploadPlace(row.path), from, 0);
  if (writer === undefined) throw refusal('no_such_upload');
  let bytes = 0;
  try {
    for await (const part of piece) {
      if (from + bytes + part.length > sizeBytes) {
        // Nothing of it: whoever sent it is wrong about the file.
        bytes = 0;
        throw refusal('upload_piece_too_long', { size: sizeBytes });
      }
      await writer.write(part);
      bytes += part.length;
    }
    return { bytes };
  } catch (reason) {
    return { bytes, failure: reason instanceof Error ? reason : new Error(String(reason)) };
  } finally {
    await writer.close();
  }
}

async function begin(
  { store, context, storing, mostUploadBytes }: PieceParts,
  caller: Caller,
  { name, size, contentType }: NewFile,
): Promise<UnfinishedUpload> {
  const { files, limits, nowSeconds } = context;
  checkUploadBytes(size, await mostUploadBytes());
  await store.read((tx) => checkQuotas(tx, caller, size, limits));
  const id = randomLetters();
  const file = describeFile(name, contentType ?? '', id);
  const place = uploadPlace(file.path);
  await storing(caller, async () => (await files.writeFrom(place, 0, size))?.close());
  try {
    return await change(store, caller, function* (tx, now) {
      yield* checkUnfinished(tx, now, limits);
      yield* checkQuotas(tx, now, size, limits);
      const owner = { ownerId: caller.userId, movedAt: nowSeconds() };
      yield* tx.addUnfinishedUpload({ ...file, ...owner, id, sizeBytes: size });
      return yield* findOwn(tx, now, id);
    });
  } catch (reason) {
    await files.remove(place);
    throw reason;
  }
}

async function trim(
  { store, context: { files, nowSeconds } }: PieceParts,
  turns: Turns,
): Promise<void> {
  const before = nowSeconds() - KEPT_SECONDS;
  for (const { id } of await store.read((tx) => tx.listAbandonedUploads(before))) {
    await turns.take(id, async () => {
      const removed = await store.change(function* (tx) {
        const row = yield* tx.findUnfinishedUpload(id);
        // A piece may have come meanwhile.
        if (row === undefined || row.moved_at >= before) return undefined;
        yield* tx.removeUnfinishedUpload(id);
        return row;
      });
      if (removed?.is_finished === 0) await files.remove(uploadPlace(removed.path));
    });
  }
}

export function pieceOperations(parts: PieceParts): PieceOperations {
  const { store, context, storing } = parts;
  const { files, nowSeconds } = context;
  const turns = new Turns();
  const findFor = (caller: Caller, id: string): Promise<UnfinishedUpload> =>
    store.read((tx) => findOwn(tx, caller, id));

  /** Whoever asks for one of theirs has it for themselves. */
  const inTurn = async <T>(
    caller: Caller,
    id: string,
    work: (row: UnfinishedUpload, ended: Promise<never>) => Promise<T>,
  ): Promise<T> => {
    await findFor(caller, id);
    return turns.take(id, async (ended) => work(await findFor(caller, id), ended));
  };

  return {
    begin: (caller, file) => begin(parts, caller, file),
    find: (caller, id) => inTurn(caller, id, async (row) => row),
    addPiece: (caller, { id, offset }, piece) =>
      inTurn(caller, id, (row, ended) =>
        storing(caller, async () => {
          checkOffset(row, offset);
          const { bytes, failure } = await writePiece(context, row, until(ended, piece));
          if (bytes === 0 && failure !== undefined) throw failure;
          const moved = await change(store, caller, function* (tx, now) {
            yield* tx.noteReceivedBytes(id, offset + bytes, nowSeconds());
            return yield* findOwn(tx, now, id);
          });
          if (failure !== undefined) throw failure;
          return moved;
        }),
      ),
    finish: (caller, id) =>
      inTurn(caller, id, (row) =>
        change(store, caller, function* (tx, now) {
          const { path, name, content_type: contentType, size_bytes: sizeBytes } = row;
          if (row.is_finished === 1) {
            if ((yield* tx.findAttachment(path)) === undefined) throw refusal('no_such_upload');
            return PREFIX + path;
          }
          if (row.received_bytes < sizeBytes) {
            throw refusal('upload_incomplete', { received: row.received_bytes, size: sizeBytes });
          }
          const createdAt = nowSeconds();
          const ownerId = now.userId;
          yield* tx.addAttachment({ path, name, contentType, sizeBytes, ownerId, createdAt });
          yield* tx.finishUpload(id, createdAt);
          return PREFIX + path;
        }),
      ),
    abandon: (caller, id) =>
      inTurn(caller, id, async ({ path, is_finished: isFinished }) => {
        await change(store, caller, (tx) => tx.removeUnfinishedUpload(id));
        if (isFinished === 0) await files.remove(uploadPlace(path));
      }),
    trim: () => trim(parts, turns),
  };
}
