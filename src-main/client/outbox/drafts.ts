/** Unsent texts, one for each place where something can be written. */
import type { StoredDraft } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { success } from '#shared/bridge/outcome.ts';
import { asWriteOutcome } from './storage-outcome.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface Drafts {
  /** Newest change first. The same array as long as nothing changed. */
  readonly list: () => readonly StoredDraft[];
  /** On disk when it answers. An empty content and no topic remove it. */
  readonly save: (draft: StoredDraft) => Outcome<null>;
  /** The draft went into the outbox, which removed it from the disk. */
  readonly forget: (key: string) => void;
  readonly stop: () => void;
}

export interface DraftParts {
  readonly store: Pick<OutboxStore, 'listDrafts' | 'putDraft' | 'removeDraft' | 'onArrival'>;
  readonly changed: (drafts: readonly StoredDraft[]) => void;
}

const isEmpty = ({ content, topic }: StoredDraft): boolean =>
  content.trim() === '' && (topic ?? '').trim() === '';

const newestFirst = (drafts: readonly StoredDraft[]): readonly StoredDraft[] =>
  drafts.toSorted((a, b) => b.changedAtSeconds - a.changedAtSeconds);

export function createDrafts({ store, changed }: DraftParts): Drafts {
  let drafts = newestFirst(store.listDrafts());

  const take = (next: readonly StoredDraft[]): void => {
    drafts = next;
    changed(drafts);
  };
  const others = (key: string): readonly StoredDraft[] =>
    drafts.filter((draft) => draft.key !== key);
  const has = (key: string): boolean => drafts.some((draft) => draft.key === key);

  const stop = store.onArrival(() => {
    const next = newestFirst(store.listDrafts());
    if (JSON.stringify(next) !== JSON.stringify(drafts)) take(next);
  });

  return {
    list: () => drafts,
    save: (draft) => {
      if (isEmpty(draft)) {
        if (!has(draft.key)) return success(null);
        const removed = asWriteOutcome(() => {
          store.removeDraft(draft.key);
        });
        if (removed.ok) take(others(draft.key));
        return removed;
      }
      const kept = asWriteOutcome(() => {
        store.putDraft(draft);
      });
      if (kept.ok) take(newestFirst([draft, ...others(draft.key)]));
      return kept;
    },
    forget: (key) => {
      if (has(key)) take(others(key));
    },
    stop,
  };
}
