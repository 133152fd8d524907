import type { Attachment } from '#shared/api/models/attachment.ts';
import {
  findOne,
  insert,
  list,
  listColumn,
  type Operation,
  record,
  run,
} from '#service/db/operation.ts';
import { before, HELD, HISTORICAL } from '#service/features/reading/queries/narrow-sql.ts';

export interface AttachmentRow {
  readonly id: number;
  /** What follows `/user_uploads/` in its address. */
  readonly path: string;
  /** As the uploader named it. */
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly owner_id: number;
  /** UNIX seconds. */
  readonly created_at: number;
}

export interface NewAttachment {
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly ownerId: number;
  /** UNIX seconds. */
  readonly createdAt: number;
}

const FIND = 'SELECT * FROM attachment WHERE id = :id';
const FIND_BY_PATH = 'SELECT * FROM attachment WHERE path = :path';
const FIND_IN = 'SELECT id FROM attachment WHERE path >= :from AND path < :to LIMIT 1';
const LIST = 'SELECT * FROM attachment WHERE owner_id = :userId ORDER BY id';
const INSERT = `INSERT INTO attachment (path, name, content_type, size_bytes, owner_id, created_at)
  VALUES (:path, :name, :contentType, :sizeBytes, :ownerId, :createdAt)`;
const DELETE = 'DELETE FROM attachment WHERE id = :id';
const LINKS = `SELECT m.id, m.sent_at FROM attachment_message l JOIN message m ON m.id = l.message_id
  WHERE l.attachment_id = :id ORDER BY m.id`;
const LINKED = 'SELECT attachment_id FROM attachment_message WHERE message_id = :messageId';
const LINK = 'INSERT INTO attachment_message (attachment_id, message_id) VALUES (:id, :messageId)';
const UNLINK = `DELETE FROM attachment_message
  WHERE attachment_id = :id AND message_id = :messageId`;
const UNLINK_ALL = 'DELETE FROM attachment_message WHERE attachment_id = :id';
/** Beside messages: what is shown to others, and what may be looked up in the history of one. */
const NAMED = `SELECT 1 WHERE EXISTS (SELECT 1 FROM attachment_message WHERE attachment_id = :id)
  OR EXISTS (SELECT 1 FROM message_edit INDEXED BY message_edit_with_file WHERE prev_content IS NOT NULL
    AND (prev_marks IS NULL OR prev_marks & 16) AND instr(prev_content, :folder))
  OR EXISTS (SELECT 1 FROM stream WHERE instr(description, :folder))
  OR EXISTS (SELECT 1 FROM realm WHERE instr(description, :folder))
  OR EXISTS (SELECT 1 FROM user_group WHERE instr(description, :folder))
  OR EXISTS (SELECT 1 FROM user_status WHERE instr(status_text, :folder))
  OR EXISTS (SELECT 1 FROM profile_value WHERE instr(value, :folder))`;
const OWNED = 'f JOIN account o ON o.id = f.owner_id';
const OF_ACCOUNT =
  'WHERE f.owner_id IN (SELECT id FROM account WHERE id = :userId OR owner_id = :userId)';
const largest = (
  which: string,
): string => `SELECT f.*, o.owner_id AS bot_owner_id FROM attachment ${which}
  ORDER BY f.size_bytes DESC, f.id DESC LIMIT :limit`;
const LARGEST = largest(OWNED);
const LARGEST_OF = largest(`${OWNED} ${OF_ACCOUNT}`);
const COUNT = 'SELECT COUNT(*) AS files, COALESCE(SUM(size_bytes), 0) AS bytes FROM attachment';
const COUNT_OF = `${COUNT} f ${OF_ACCOUNT}`;
const LINKING = `SELECT message_id FROM attachment_message WHERE attachment_id = :id
  ORDER BY message_id DESC`;
const HELD_LINK = `SELECT m.id FROM attachment_message l JOIN message m ON m.id = l.message_id
  JOIN attachment a ON a.id = l.attachment_id
  LEFT JOIN kept_version v ON v.account_id = :userId AND v.message_id = m.id
  WHERE l.attachment_id = :id AND (${HELD} OR ${HISTORICAL}) AND (v.edit_id IS NULL
    OR COALESCE(${before('prev_content')}, m.content) LIKE '%' || a.path || '%') LIMIT 1`;
const STREAM_IDS = `SELECT DISTINCT s.id FROM attachment_message l
  JOIN message m ON m.id = l.message_id JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE l.attachment_id = :id AND s.is_archived = 0`;

export interface OwnedAttachment extends AttachmentRow {
  /** Null where the owner of the file is no bot. */
  readonly bot_owner_id: number | null;
}

function* shapeOf(row: AttachmentRow): Operation<Attachment> {
  const links = yield* list<{ id: number; sent_at: number }>(LINKS, { id: row.id });
  return {
    id: row.id,
    name: row.name,
    path_id: row.path,
    size: row.size_bytes,
    create_time: row.created_at * 1000,
    messages: links.map(({ id, sent_at: sentAt }) => ({
      id,
      name: sentAt * 1000,
      date_sent: sentAt * 1000,
    })),
  };
}

interface FileCount {
  readonly files: number;
  readonly bytes: number;
}

/** Of an account with its bots, or of everybody where that is null. */
function* countAttachments(userId: number | null): Operation<FileCount> {
  const found =
    userId === null
      ? yield* findOne<FileCount>(COUNT)
      : yield* findOne<FileCount>(COUNT_OF, { userId });
  return found ?? { files: 0, bytes: 0 };
}

function* usedBytes(): Operation<number> {
  return (yield* countAttachments(null)).bytes;
}

export const attachmentReads = {
  /** @param path  what follows `/user_uploads/` in its address */
  *findAttachment(path: string): Operation<AttachmentRow | undefined> {
    return yield* findOne<AttachmentRow>(FIND_BY_PATH, { path });
  },
  /** Whether there is one below a folder. @param folder  the beginning of a path, without the slash after it */
  *hasUploadIn(folder: string): Operation<boolean> {
    // A zero follows the slash in every encoding.
    const found = yield* findOne(FIND_IN, { from: `${folder}/`, to: `${folder}0` });
    return found !== undefined;
  },
  /** What an account uploaded, oldest first, with the bytes that all files of the organization take. */
  *listAttachments(userId: number): Operation<{
    readonly attachments: readonly Attachment[];
    readonly usedBytes: number;
  }> {
    const attachments: Attachment[] = [];
    for (const row of yield* list<AttachmentRow>(LIST, { userId })) {
      attachments.push(yield* shapeOf(row));
    }
    return { attachments, usedBytes: yield* usedBytes() };
  },
  *findAttachmentById(id: number): Operation<AttachmentRow | undefined> {
    return yield* findOne<AttachmentRow>(FIND, { id });
  },
  /** Bytes of all files of the organization. */
  countUploadedBytes: usedBytes,
  /** Bytes of the files of a person and their bots. */
  *countUploadedBytesOf(personId: number): Operation<number> {
    return (yield* countAttachments(personId)).bytes;
  },
  /** The largest files of an account with its bots, or of everybody where that is null. */
  *listLargestAttachments(
    userId: number | null,
    limit: number,
  ): Operation<readonly OwnedAttachment[]> {
    if (userId === null) return yield* list<OwnedAttachment>(LARGEST, { limit });
    return yield* list<OwnedAttachment>(LARGEST_OF, { userId, limit });
  },
  countAttachments,
  /** Ids of the messages that link to the file, newest first. */
  *listLinkingIds(id: number): Operation<readonly number[]> {
    return yield* listColumn<number>(LINKING, { id });
  },
  /** Whether the account holds a message that links to the file. */
  *holdsLinkTo(attachmentId: number, userId: number): Operation<boolean> {
    return (yield* findOne(HELD_LINK, { id: attachmentId, userId })) !== undefined;
  },
  /** Streams that are not archived and have a message that links to the file. */
  *listLinkingStreamIds(attachmentId: number): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(STREAM_IDS, { id: attachmentId })).map(({ id }) => id);
  },
};

function* announce(row: AttachmentRow, op: 'add' | 'update'): Operation<void> {
  yield* record({
    type: 'attachment',
    audience: { kind: 'users', userIds: [row.owner_id] },
    payload: { op, attachment: yield* shapeOf(row), upload_space_used: yield* usedBytes() },
  });
}

/**
 * Step: from now on the message links to these files and no others; their owners are told of what changed. It is a
 * step of every write that stores or rewrites a message; a file to which none links any more stays, because the history
 * names it.
 * @param paths  what follows `/user_uploads/`, only of files that the author may see; unknown ones are passed over
 */
export function* linkAttachments(messageId: number, paths: readonly string[]): Operation<void> {
  const wanted = new Map<number, AttachmentRow>();
  for (const path of paths) {
    const row = yield* findOne<AttachmentRow>(FIND_BY_PATH, { path });
    if (row !== undefined) wanted.set(row.id, row);
  }
  const rows = yield* list<{ attachment_id: number }>(LINKED, { messageId });
  const linked = new Set(rows.map((row) => row.attachment_id));
  for (const [id, row] of wanted) {
    if (linked.has(id)) continue;
    yield* run(LINK, { id, messageId });
    yield* announce(row, 'update');
  }
  for (const id of linked) {
    if (wanted.has(id)) continue;
    yield* run(UNLINK, { id, messageId });
    const row = yield* findOne<AttachmentRow>(FIND, { id });
    if (row !== undefined) yield* announce(row, 'update');
  }
}

function* forget({ id, owner_id: userId }: AttachmentRow): Operation<void> {
  yield* run(UNLINK_ALL, { id });
  yield* run(DELETE, { id });
  yield* record({
    type: 'attachment',
    audience: { kind: 'users', userIds: [userId] },
    payload: { op: 'remove', attachment: { id }, upload_space_used: yield* usedBytes() },
  });
}

/** Step: a message that is deleted links to nothing. @returns the files to which it did */
export function* unlinkAll(messageId: number): Operation<readonly number[]> {
  const ids = yield* listColumn<number>(LINKED, { messageId });
  for (const id of ids) yield* run(UNLINK, { id, messageId });
  return ids;
}

/**
 * Step: forgets those of the files that nothing names any more, and tells the owners of all.
 * @returns the paths of those that were forgotten
 */
export function* forgetUnnamed(ids: Iterable<number>): Operation<readonly string[]> {
  const paths: string[] = [];
  for (const id of new Set(ids)) {
    const row = yield* findOne<AttachmentRow>(FIND, { id });
    if (row === undefined) continue;
    // A text may write the file's own name in another way, but not the letters before it.
    const folder = row.path.slice(0, row.path.lastIndexOf('/') + 1);
    if ((yield* findOne(NAMED, { id, folder })) !== undefined) yield* announce(row, 'update');
    else {
      yield* forget(row);
      paths.push(row.path);
    }
  }
  return paths;
}

export const attachmentWrites = {
  /** Notes a file that is already stored. */
  *addAttachment(attachment: NewAttachment): Operation<void> {
    const id = yield* insert(INSERT, { ...attachment });
    const row = yield* findOne<AttachmentRow>(FIND, { id });
    if (row !== undefined) yield* announce(row, 'add');
  },
  /** Forgets a file, whatever names it. */
  removeAttachment: forget,
};
