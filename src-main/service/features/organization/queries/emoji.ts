import { insert, list, type Operation, run } from '#service/db/operation.ts';

/** A custom emoji with its author. */
export interface EmojiRow {
  readonly id: number;
  readonly name: string;
  /** Below `/user_avatars/1/emoji/images/`. */
  readonly file_name: string;
  readonly is_deactivated: 0 | 1;
  readonly author_id: number;
  readonly author_email: string;
  readonly author_full_name: string;
}

const LIST = `SELECT e.id, e.name, e.file_name, e.is_deactivated, e.author_id, a.email AS author_email,
    a.full_name AS author_full_name
  FROM emoji e JOIN account a ON a.id = e.author_id ORDER BY e.id`;
const INSERT = `INSERT INTO emoji (name, author_id, file_name, created_at)
  VALUES (:name, :authorId, :fileName, :createdAt)`;
const DEACTIVATE = 'UPDATE emoji SET is_deactivated = 1 WHERE id = :id AND is_deactivated = 0';

export const emojiReads = {
  /** Custom emoji by id, deactivated ones included. */
  *listEmoji(): Operation<readonly EmojiRow[]> {
    return yield* list<EmojiRow>(LIST);
  },
};

export const emojiWrites = {
  /** No active one may have its name. @param createdAt  UNIX seconds */
  *insertEmoji(emoji: {
    readonly name: string;
    readonly authorId: number;
    readonly fileName: string;
    readonly createdAt: number;
  }): Operation<void> {
    yield* insert(INSERT, { ...emoji });
  },
  *deactivateEmoji(id: number): Operation<void> {
    yield* run(DEACTIVATE, { id });
  },
};
