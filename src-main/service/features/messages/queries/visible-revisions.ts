/** Messages as an account saw them last, of streams to which it lost access (API decisions 10.5). */
import { ANY_REVISION, PERSONAL, withUserState } from './personal-rows.ts';
import type { PersonalMessageRow } from './message-rows.ts';
import { findOne, list, type Operation } from '#service/db/operation.ts';
import { type PageSelection, whereOf } from '#service/features/reading/queries/narrow-sql.ts';

export const visibleRevisionReads = {
  /** Whether the account sees any message otherwise than it is now. */
  *hasVisibleRevisions(userId: number): Operation<boolean> {
    return (yield* findOne(ANY_REVISION, { userId })) !== undefined;
  },
  /** What is selected of such messages, ascending. */
  *listVisibleRevisions(selection: PageSelection): Operation<readonly PersonalMessageRow[]> {
    const where = whereOf(selection);
    const rows = yield* list<PersonalMessageRow>(
      `${PERSONAL} WHERE v.edit_id IS NOT NULL AND ${where.sql} ORDER BY m.id`,
      where.values,
    );
    return yield* withUserState(selection.userId, rows);
  },
};
