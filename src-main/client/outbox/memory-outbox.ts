/** An outbox that lives as long as the process. */
import type { StoredDraft } from '#shared/bridge/models/client.ts';
import type { OutboxStore, PendingFlag, StoredItem } from './outbox-store.ts';

const flagKey = ({ messageId, flag }: PendingFlag): string => `${flag} ${String(messageId)}`;

export function createMemoryOutbox(): OutboxStore {
  const items = new Map<string, StoredItem>();
  const drafts = new Map<string, StoredDraft>();
  const flags = new Map<string, PendingFlag>();
  return {
    listItems: () => [...items.values()],
    putItem: (item) => void items.set(item.localId, item),
    removeItem: (localId) => void items.delete(localId),
    listDrafts: () => [...drafts.values()],
    putDraft: (draft) => void drafts.set(draft.key, draft),
    removeDraft: (key) => void drafts.delete(key),
    submit: (item, draftKey) => {
      items.set(item.localId, item);
      if (draftKey !== null) drafts.delete(draftKey);
    },
    listFlags: () => [...flags.values()],
    putFlags: (changed) => {
      for (const flag of changed) flags.set(flagKey(flag), flag);
    },
    removeFlags: (told) => {
      for (const flag of told) {
        if (flags.get(flagKey(flag))?.isSet === flag.isSet) flags.delete(flagKey(flag));
      }
    },
    onArrival: () => () => undefined,
    close: () => undefined,
  };
}
