import { findOne, insert, list, type Operation, record, run } from './operation.ts';

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

/** How the domain writes the whole list in an event. */
export type EmojiShape = (rows: readonly EmojiRow[]) => Readonly<Record<string, unknown>>;

const LIST = `SELECT e.id, e.name, e.file_name, e.is_deactivated, e.author_id, a.email AS author_email,
    a.full_name AS author_full_name
  FROM emoji e JOIN account a ON a.id = e.author_id ORDER BY e.id`;
const FIND_ACTIVE = 'SELECT id FROM emoji WHERE name = :name AND is_deactivated = 0';
const INSERT = `INSERT INTO emoji (name, author_id, file_name, created_at)
  VALUES (:name, :authorId, :fileName, :createdAt)`;
const DEACTIVATE = 'UPDATE emoji SET is_deactivated = 1 WHERE id = :id AND is_deactivated = 0';

export const emojiReads = {
  /** Custom emoji by id, deactivated ones included. */
  *listEmoji(): Operation<readonly EmojiRow[]> {
    return yield* list<EmojiRow>(LIST);
  },
};

function* announce(shape: EmojiShape): Operation<void> {
  yield* record({
    type: 'realm_emoji',
    audience: { kind: 'realm' },
    payload: { op: 'update', realm_emoji: shape(yield* list<EmojiRow>(LIST)) },
  });
}

export const emojiWrites = {
  /** Adds an emoji; answers false where an active one has the name. @param createdAt  UNIX seconds */
  *addEmoji(
    emoji: {
      readonly name: string;
      readonly authorId: number;
      readonly fileName: string;
      readonly createdAt: number;
    },
    shape: EmojiShape,
  ): Operation<boolean> {
    if ((yield* findOne(FIND_ACTIVE, { name: emoji.name })) !== undefined) return false;
    yield* insert(INSERT, { ...emoji });
    yield* announce(shape);
    return true;
  },
  /** Answers false where it is not active. */
  *deactivateEmoji(id: number, shape: EmojiShape): Operation<boolean> {
    if ((yield* run(DEACTIVATE, { id })) === 0) return false;
    yield* announce(shape);
    return true;
  },
};
