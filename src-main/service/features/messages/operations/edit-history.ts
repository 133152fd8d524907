/** What is told of messages that were edited. */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Message, MessageSnapshot } from '#shared/api/models/message.ts';
import { markChanges, MAX_CHANGES } from '#service/markdown/html-diff.ts';
import type { MessageEditRow, PersonalMessageRow, Store } from '#service/db/port.ts';
import { getVisibleMessage } from './message-access.ts';
import { editedParts, editHistoryShape, historyShape } from '../rules/edit-history.ts';
import type { RenderOptions } from '#service/core/rules/shapes.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';

/** Changed pieces in all versions of a message together. */
const MAX_COMPARED = 2000;

export type EditKeys = Pick<Message, 'last_edit_timestamp' | 'edit_history' | 'edited_parts'>;

function groupByMessage(
  edits: readonly MessageEditRow[],
): ReadonlyMap<number, readonly MessageEditRow[]> {
  const groups = new Map<number, MessageEditRow[]>();
  for (const edit of edits) {
    const known = groups.get(edit.message_id);
    if (known === undefined) groups.set(edit.message_id, [edit]);
    else known.push(edit);
  }
  return groups;
}

/** Those that the account may know of. */
const seenEdits = (
  { kept_edit_id: lastId }: PersonalMessageRow,
  edits: readonly MessageEditRow[],
): readonly MessageEditRow[] => (lastId === null ? edits : edits.filter(({ id }) => id <= lastId));

/** The keys of edited messages alone, by id: a page on which nothing was edited asks the store nothing. */
export async function loadEditKeys(
  store: Store,
  rows: readonly PersonalMessageRow[],
  options: RenderOptions,
): Promise<ReadonlyMap<number, EditKeys>> {
  const edited = rows.filter((row) => row.edited_at !== null);
  const keys = new Map<number, EditKeys>();
  if (edited.length === 0) return keys;
  const isShown = realmSettings(await store.findRealm()).allow_edit_history;
  const isAsked = isShown || options.withSource === true;
  const edits = isAsked ? await store.listMessageEdits(edited.map((row) => row.id)) : [];
  const byMessage = groupByMessage(edits);
  for (const row of edited) {
    const { id, edited_at: editedAt } = row;
    if (editedAt === null) continue;
    const seen = seenEdits(row, byMessage.get(id) ?? []);
    const history = isShown ? { edit_history: editHistoryShape(seen) } : {};
    const parts = options.withSource === true ? { edited_parts: editedParts(seen) } : {};
    keys.set(id, { last_edit_timestamp: editedAt, ...history, ...parts });
  }
  return keys;
}

export interface MessageHistoryOperations {
  /** @throws BAD_REQUEST when the message may not be seen, or the organization shows no edit history */
  readonly getMessageHistory: (caller: Caller, id: number) => Promise<MessageSnapshot[]>;
}

export const messageHistoryOperations = (store: Store): MessageHistoryOperations => ({
  getMessageHistory: (caller, id) =>
    store.read(function* (tx) {
      if (!realmSettings(yield* tx.findRealm()).allow_edit_history) {
        throw refusal('edit_history_disabled');
      }
      const row = yield* getVisibleMessage(tx, caller, id);
      const edits = seenEdits(row, yield* tx.listMessageEdits([id]));
      // However often it was edited, comparing all versions takes about the same time.
      const maxChanges = Math.min(MAX_CHANGES, Math.ceil(MAX_COMPARED / Math.max(1, edits.length)));
      return historyShape(row, edits, (before, after) => markChanges(before, after, maxChanges));
    }),
});
