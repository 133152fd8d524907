/**
 * What events have changed of late. An answer of the service that was on its way meanwhile may tell of it as it was before:
 * whoever asks takes the count first, and holds what changed after it against the answer.
 */
import type { Message } from '#shared/api/models/message.ts';
import type { AnswerAge } from './port.ts';

const MAX_IDS = 10_000;

interface TouchedMessages {
  readonly at: number;
  readonly isGone: boolean;
}

export class RecentChanges {
  #count = 0;
  /** Up to here it is not known any more, or never was, which messages changed. */
  #untold = 0;
  #lastMove = 0;
  /** In the order in which they changed. */
  readonly #touched = new Map<number, TouchedMessages>();

  get count(): number {
    return this.#count;
  }

  touch(ids: readonly number[], what: 'changed' | 'moved' | 'gone' = 'changed'): void {
    if (ids.length === 0) return;
    this.#count += 1;
    if (what === 'moved') this.#lastMove = this.#count;
    const touched = { at: this.#count, isGone: what === 'gone' };
    for (const id of ids) {
      this.#touched.delete(id);
      this.#touched.set(id, touched);
    }
    for (const [id, { at }] of this.#touched) {
      if (this.#touched.size <= MAX_IDS) break;
      this.#touched.delete(id);
      this.#untold = at;
    }
  }

  /** Something that any message may show, or by which any of them may be read no longer. */
  touchAll(): void {
    this.#count += 1;
    this.#untold = this.#count;
    this.#touched.clear();
  }

  has(id: number, askedAt: number): boolean {
    return this.#untold > askedAt || (this.#touched.get(id)?.at ?? 0) > askedAt;
  }

  isGone(id: number, askedAt: number): boolean {
    const touched = this.#touched.get(id);
    return touched?.isGone === true && touched.at > askedAt;
  }

  /** Those that are known, without what is gone. */
  since(askedAt: number): readonly number[] {
    return [...this.#touched].flatMap(([id, { at, isGone }]) =>
      at > askedAt && !isGone ? [id] : [],
    );
  }

  ageOf(ids: readonly number[], askedAt: number): AnswerAge {
    if (this.#untold > askedAt) return 'outdated';
    const isChanged = this.#lastMove > askedAt || ids.some((id) => this.has(id, askedAt));
    return isChanged ? 'changed' : 'current';
  }
}

/** Messages of an answer as they are by now, as far as that is known. */
export function currentOf(
  messages: readonly Message[],
  askedAt: number,
  recent: RecentChanges,
  find: (ids: readonly number[]) => readonly Message[],
): readonly Message[] {
  const changed = messages.map(({ id }) => id).filter((id) => recent.has(id, askedAt));
  if (changed.length === 0) return messages;
  const kept = new Map(find(changed).map((message) => [message.id, message]));
  return messages
    .filter(({ id }) => !recent.isGone(id, askedAt))
    .map((message) => withMatch(kept.get(message.id) ?? message, message));
}

/** With what a search has marked in it, where it still says that. */
function withMatch(message: Message, found: Message): Message {
  const { match_content, match_subject } = found;
  const isSame = message.content === found.content && message.subject === found.subject;
  if (match_content === undefined || !isSame) return message;
  return { ...message, match_content, match_subject };
}
