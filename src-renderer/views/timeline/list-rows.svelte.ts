import { untrack } from 'svelte';
import type { VirtualizerHandle } from 'virtua/svelte';
import {
  type Conversation,
  isConversation,
  isInView,
  type View,
} from '#shared/bridge/models/client.ts';
import { entriesOf, type Entry, isShifted, messageKey } from '#renderer/lib/entries.ts';
import type { Workspace } from '#renderer/state/workspace.ts';

export const BAR_PX = 33;
/** Between what was said and the bar of another conversation. */
export const BAR_GAP_PX = 8;

/** The bar at the top of the list, and how far the next one has pushed it out, in pixels. */
interface StuckBar {
  readonly conversation: Conversation;
  readonly push: number;
}

/** What stands in the list of messages, and where. */
export class ListRows {
  readonly #workspace: Workspace;
  readonly #view: () => View;
  readonly isMixed = $derived.by(() => !isConversation(this.#view()));
  /** What is written here and has not arrived, whether its place in the list is loaded or not. */
  readonly unsent = $derived.by(() => {
    const { organization, timeline } = this.#workspace;
    const arrived = new Set(timeline.messages.slice(-200).map(({ localId }) => localId));
    return organization.state.outbox
      .filter(
        (item) =>
          !arrived.has(item.localId) &&
          isInView({ ...item, isMentioned: false, isStarred: false }, this.#view()),
      )
      .map((item) => ({
        ...item,
        writtenAtSeconds: organization.serviceSeconds(item.writtenAtSeconds),
      }));
  });
  readonly entries = $derived.by(() => {
    const { organization, timeline } = this.#workspace;
    return entriesOf({
      messages: timeline.messages,
      outbox: timeline.hasNewest ? this.unsent : [],
      isMixed: this.isMixed,
      isRanked: timeline.isRanked,
      unreadFromId: timeline.unreadFromId,
      ownUserId: organization.ownUserId,
    });
  });
  readonly #indexes = $derived.by(
    () => new Map(this.entries.map(({ key }, index) => [key, index])),
  );
  readonly #bars = $derived.by(() =>
    this.entries.flatMap((entry, index) => (entry.kind === 'bar' ? [{ entry, index }] : [])),
  );
  #previous: readonly Entry[] = [];

  constructor(workspace: Workspace, view: () => View) {
    this.#workspace = workspace;
    this.#view = view;
  }

  /** Where the message stands; -1 where it does not. */
  indexOf(id: number): number {
    const message = this.#workspace.timeline.find(id);
    return message === undefined ? -1 : (this.#indexes.get(messageKey(message)) ?? -1);
  }

  /** Whether rows came above what is read. @param from  the first row that is seen */
  isShifted(from: () => number): boolean {
    const fresh = this.entries;
    return untrack(() => {
      const anchor = this.#previous
        .slice(from())
        .find(({ kind }) => kind === 'message' || kind === 'outbox');
      const answer = isShifted(this.#previous, fresh, anchor?.key ?? null);
      this.#previous = fresh;
      return answer;
    });
  }

  /** The conversation at the top of what is visible, once its own bar has gone above. */
  stuckBar(handle: VirtualizerHandle, offset: number): StuckBar | null {
    const bars = this.#bars;
    if (bars.length === 0) return null;
    const top = handle.findItemIndex(Math.max(offset, 0));
    const at = bars.findLastIndex(({ index }) => index <= top);
    const bar = bars[at];
    if (bar === undefined || handle.getItemOffset(bar.index) + BAR_GAP_PX >= offset) return null;
    const next = bars[at + 1];
    const room =
      next === undefined ? BAR_PX : handle.getItemOffset(next.index) + BAR_GAP_PX - offset;
    return { conversation: bar.entry.conversation, push: Math.min(room - BAR_PX, 0) };
  }
}
