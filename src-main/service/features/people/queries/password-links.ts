/** Links with which people choose a new password (API decisions 15.8). */
import { findOne, type Operation, run } from '#service/db/operation.ts';

export interface PasswordLink {
  readonly accountId: number;
  /** Nothing that leads to the link is stored. */
  readonly tokenHash: string;
  /** The administrator; null where it was made on the computer of the service. */
  readonly makerId: number | null;
  /** UNIX seconds. */
  readonly madeAt: number;
}

// It ends with the rights of whoever made it.
const FIND = `SELECT l.token_hash FROM password_link l
  JOIN account a ON a.id = l.account_id
  LEFT JOIN account m ON m.id = l.maker_id
  WHERE l.account_id = :accountId AND l.made_at > :validSince AND a.is_active = 1
    AND (l.maker_id IS NULL OR (m.role = 'admin' AND m.is_active = 1))`;
const SET = `INSERT INTO password_link (account_id, token_hash, maker_id, made_at)
  SELECT a.id, :tokenHash, :makerId, :madeAt FROM account a
  WHERE a.id = :accountId AND a.is_active = 1 AND a.bot_type IS NULL
  ON CONFLICT (account_id) DO UPDATE SET token_hash = excluded.token_hash,
    maker_id = excluded.maker_id, made_at = excluded.made_at`;

export const passwordLinkReads = {
  /** The hash of the token of a link that can still be used. @param validSince  UNIX seconds */
  *findPasswordLink(accountId: number, validSince: number): Operation<string | undefined> {
    const row = yield* findOne<{ token_hash: string }>(FIND, { accountId, validSince });
    return row?.token_hash;
  },
};

export const passwordLinkWrites = {
  /** Instead of an earlier one. Answers false when it is no active account of a person. */
  *setPasswordLink(link: PasswordLink): Operation<boolean> {
    return (yield* run(SET, { ...link })) > 0;
  },
};
