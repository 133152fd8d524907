/** Marks that a person sets here: at once here, and on the service as soon as that is possible. */
import type { ReadTarget, View } from '#shared/bridge/models/client.ts';
import { isConversation, isInView } from '#shared/bridge/models/client.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { Api } from '../transport/api.ts';
import { answer } from '../transport/answers.ts';
import { fetchPage } from './fetch-page.ts';
import type { PendingFlags, SettableFlag } from '../outbox/pending-flags.ts';
import { unreadEntry } from './pending-state.ts';
import type { SyncState } from './account-sync.ts';
import { narrowOf } from './shown-message.ts';
import { markedRead, markedUnread, starredMessages } from './state/marks.ts';
import { scopeOf } from './state/scope.ts';
import type { SessionState } from './state/session-state.ts';
import { unreadIds, unreadIdsOf } from './state/unread.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** As many messages as one page of the service has. */
const UNREAD_MESSAGES = 1000;

export interface ReadMarksParts {
  readonly api: Api;
  readonly ownUserId: number;
  readonly sync: () => SyncState;
  readonly flags: Pick<PendingFlags, 'set'>;
}

export interface ReadMarks {
  readonly markRead: (target: ReadTarget) => Promise<Outcome<null>>;
  readonly markUnreadFrom: (view: View, messageId: number) => Promise<Outcome<null>>;
  readonly star: (messageId: number, isStarred: boolean) => Promise<Outcome<null>>;
}

interface Mark {
  readonly flag: SettableFlag;
  readonly isSet: boolean;
}

const notLoaded = failure('NOT_CONNECTED', clientWords('not_loaded'));

export function createReadMarks(parts: ReadMarksParts): ReadMarks {
  const { flags, ownUserId, sync } = parts;

  function mark(state: SessionState, ids: readonly number[], { flag, isSet }: Mark): Outcome<null> {
    if (ids.length === 0) return success(null);
    const kept = flags.set(ids, flag, isSet);
    sync().change(state, ids, flag, isSet);
    return kept;
  }

  return {
    markRead: async (target) => {
      const { state } = sync();
      if (state === null) return notLoaded;
      const ids = unreadAmong(state, target);
      return mark(markedRead(state, ids), ids, { flag: 'read', isSet: true });
    },
    markUnreadFrom: async (view, messageId) => {
      const before = sync().state;
      if (before === null) return notLoaded;
      const found = await following(parts, before, { view, messageId });
      if (!found.ok) return found;
      // One's own ones too: whoever marks an answer of theirs means to come back to it.
      const entries = found.value
        .filter((message) => message.id >= messageId && canBeUnread(message))
        .map((message) => unreadEntry(message, ownUserId));
      const ids = entries.map(({ id }) => id);
      const next = markedUnread(sync().state ?? before, entries);
      return mark(next, ids, { flag: 'read', isSet: false });
    },
    star: async (messageId, isStarred) => {
      const { state } = sync();
      if (state === null) return notLoaded;
      const next = starredMessages(state, [messageId], isStarred);
      return mark(next, [messageId], { flag: 'starred', isSet: isStarred });
    },
  };
}

/** What was never received stays read, whatever is asked for; so does a copy of it. */
const canBeUnread = ({ flags }: Message): boolean => !flags.includes('historical');

function unreadAmong({ unreadStore }: SessionState, target: ReadTarget): readonly number[] {
  if (target.kind === 'everything') return unreadIds(unreadStore, () => true);
  const { view } = target;
  const ids = isConversation(view)
    ? unreadIdsOf(unreadStore, view)
    : unreadIds(unreadStore, (conversation, isMentioned) =>
        isInView({ conversation, isMentioned, isStarred: false }, view),
      );
  if (target.kind === 'view') return ids;
  const { fromId, toId, seenIds } = target;
  const passed = ids.filter((id) => fromId <= id && id <= toId);
  return [...new Set([...passed, ...seenIds])].sort((a, b) => a - b);
}

/** The message and what follows it in the view, from the cache where it has that, else from the service. */
async function following(
  { api, ownUserId, sync }: ReadMarksParts,
  state: SessionState,
  { view, messageId }: { readonly view: View; readonly messageId: number },
): Promise<Outcome<readonly Message[]>> {
  const query = {
    narrow: narrowOf(view, ownUserId),
    anchor: messageId,
    numBefore: 0,
    numAfter: UNREAD_MESSAGES,
  };
  const kept = sync().read((cache) => cache.page(query, scopeOf(state)), null);
  if (kept?.isComplete === true) return success(kept.messages);
  const args = { ...query, clientGravatar: true, withSource: true };
  const outcome = await fetchPage(api, sync, args);
  if (!outcome.ok && outcome.failure.code === 'UNREACHABLE' && kept !== null)
    return success(kept.messages);
  return answer(outcome, ({ messages }) => messages);
}
