/** What an outbox writes, as statements. Each call is one transaction. */
import type Database from 'better-sqlite3';
import type { OutboxStore, PendingFlag, StoredItem } from '#client/outbox/outbox-store.ts';
import type { StoredDraft } from '#shared/bridge/models/client.ts';

export type Writes = Pick<
  OutboxStore,
  'putItem' | 'removeItem' | 'putDraft' | 'removeDraft' | 'submit' | 'putFlags' | 'removeFlags'
> & {
  readonly takeOver: (
    items: readonly StoredItem[],
    drafts: readonly StoredDraft[],
    flags: readonly PendingFlag[],
  ) => void;
};

const PUT_ITEM = `INSERT INTO item
    (local_id, conversation, content, written_at, state, failure, may_be_sent, refusal)
  VALUES (:localId, :conversation, :content, :writtenAt, :state, :failure, :mayBeSent, :refusal)
  ON CONFLICT (local_id) DO UPDATE SET
    conversation = :conversation, content = :content, written_at = :writtenAt, state = :state,
    failure = :failure, may_be_sent = :mayBeSent, refusal = :refusal`;
const PUT_DRAFT = `INSERT INTO draft (key, view, topic, content, changed_at)
  VALUES (:key, :view, :topic, :content, :changedAt)
  ON CONFLICT (key) DO UPDATE SET
    view = :view, topic = :topic, content = :content, changed_at = :changedAt`;
const PUT_FLAG = `INSERT INTO flag (message_id, flag, is_set) VALUES (:messageId, :flag, :isSet)
  ON CONFLICT (message_id, flag) DO UPDATE SET is_set = :isSet`;
const REMOVE_FLAG =
  'DELETE FROM flag WHERE message_id = :messageId AND flag = :flag AND is_set = :isSet';

export function writesOf(db: Database.Database): Writes {
  const putItem: Writes['putItem'] = (given) => {
    const { conversation, writtenAtSeconds, mayBeSent, refusal, ...item } = given;
    db.prepare(PUT_ITEM).run({
      ...item,
      conversation: JSON.stringify(conversation),
      writtenAt: Math.floor(writtenAtSeconds),
      mayBeSent: Number(mayBeSent),
      refusal: refusal === undefined ? null : JSON.stringify(refusal),
    });
  };
  const putDraft: Writes['putDraft'] = ({ view, changedAtSeconds, ...draft }) => {
    const row = { ...draft, view: JSON.stringify(view), changedAt: changedAtSeconds };
    db.prepare(PUT_DRAFT).run(row);
  };
  const removeDraft = (key: string): void => {
    db.prepare('DELETE FROM draft WHERE key = ?').run(key);
  };
  const runFlags = (sql: string, flags: readonly PendingFlag[]): void => {
    const statement = db.prepare(sql);
    for (const { isSet, ...flag } of flags) statement.run({ ...flag, isSet: Number(isSet) });
  };
  const transaction = db.transaction((run: () => void) => {
    run();
  });
  const together = (run: () => void): void => {
    transaction.immediate(run);
  };
  return {
    putItem,
    removeItem: (localId) => {
      db.prepare('DELETE FROM item WHERE local_id = ?').run(localId);
    },
    putDraft,
    removeDraft,
    submit: (item, draftKey) => {
      together(() => {
        putItem(item);
        if (draftKey !== null) removeDraft(draftKey);
      });
    },
    putFlags: (flags) => {
      together(() => {
        runFlags(PUT_FLAG, flags);
      });
    },
    removeFlags: (flags) => {
      together(() => {
        runFlags(REMOVE_FLAG, flags);
      });
    },
    takeOver: (items, drafts, flags) => {
      together(() => {
        items.forEach(putItem);
        drafts.forEach(putDraft);
        runFlags(PUT_FLAG, flags);
      });
    },
  };
}
