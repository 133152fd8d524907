/** Uploads that come in pieces (API decisions 15.21). */
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import type { NewAttachment } from './attachments.ts';

export interface UnfinishedUpload {
  readonly id: string;
  /** What follows `/user_uploads/` in its address once it is whole. */
  readonly path: string;
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
  /** What is on disk for certain. */
  readonly received_bytes: number;
  readonly owner_id: number;
  /** When the last piece came; UNIX seconds. */
  readonly moved_at: number;
  /** Stays for whoever did not get the answer. */
  readonly is_finished: 0 | 1;
}

export interface NewUpload extends Omit<NewAttachment, 'createdAt'> {
  readonly id: string;
  /** UNIX seconds. */
  readonly movedAt: number;
}

const FIND = 'SELECT * FROM unfinished_upload WHERE id = :id';
const INSERT = `INSERT INTO unfinished_upload (id, path, name, content_type, size_bytes, owner_id, moved_at)
  VALUES (:id, :path, :name, :contentType, :sizeBytes, :ownerId, :movedAt)`;
const MOVE = `UPDATE unfinished_upload SET received_bytes = :receivedBytes, moved_at = :now WHERE id = :id`;
const FINISH = 'UPDATE unfinished_upload SET is_finished = 1, moved_at = :now WHERE id = :id';
const DELETE = 'DELETE FROM unfinished_upload WHERE id = :id';
const LIST_OLD = 'SELECT * FROM unfinished_upload WHERE moved_at < :before';
const COUNT = `SELECT COUNT(*) AS uploads, COALESCE(SUM(size_bytes), 0) AS bytes FROM unfinished_upload
  WHERE is_finished = 0`;
const COUNT_OF = `${COUNT}
  AND owner_id IN (SELECT id FROM account WHERE id = :personId OR owner_id = :personId)`;

interface UploadCount {
  readonly uploads: number;
  /** As announced: what has not come yet included. */
  readonly bytes: number;
}

export const unfinishedUploadReads = {
  *findUnfinishedUpload(id: string): Operation<UnfinishedUpload | undefined> {
    return yield* findOne<UnfinishedUpload>(FIND, { id });
  },
  /** Of a person and their bots, or of everybody where that is null. */
  *countUnfinishedUploads(personId: number | null): Operation<UploadCount> {
    const found =
      personId === null
        ? yield* findOne<UploadCount>(COUNT)
        : yield* findOne<UploadCount>(COUNT_OF, { personId });
    return found ?? { uploads: 0, bytes: 0 };
  },
  /** Of which nothing has come since. @param before  UNIX seconds */
  *listAbandonedUploads(before: number): Operation<readonly UnfinishedUpload[]> {
    return yield* list<UnfinishedUpload>(LIST_OLD, { before });
  },
};

export const unfinishedUploadWrites = {
  *addUnfinishedUpload(upload: NewUpload): Operation<void> {
    yield* run(INSERT, { ...upload });
  },
  *noteReceivedBytes(id: string, receivedBytes: number, now: number): Operation<void> {
    yield* run(MOVE, { id, receivedBytes, now });
  },
  *finishUpload(id: string, now: number): Operation<void> {
    yield* run(FINISH, { id, now });
  },
  *removeUnfinishedUpload(id: string): Operation<void> {
    yield* run(DELETE, { id });
  },
};
