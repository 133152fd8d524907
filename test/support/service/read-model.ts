/**
 * Read state as it cannot go wrong: a row for each account and message, and everything looked up by looking at all
 * rows. The streams are 1 and 2, which are public, and 3, which is private.
 */
export const USERS = [1, 2, 3] as const;
export const STREAMS = [1, 2, 3] as const;
export const TOPICS = ['a', 'b', 'c'] as const;
export const CONVERSATIONS = [[1], [1, 2], [1, 2, 3]] as const;
export const PRIVATE_STREAM = 3;

export type Target =
  | { readonly kind: 'stream'; readonly streamId: number; readonly topic: string }
  | { readonly kind: 'private'; readonly userIds: readonly number[] };

export interface ModelMessage {
  readonly id: number;
  target: Target;
  readonly senderId: number;
  readonly isWildcard: boolean;
  /** Who was subscribed to each stream when it was sent. */
  readonly subscribers: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The flags of one account for one message; no row where it holds none. */
export type Flags = Set<string>;

/** What an account is told of a change: the flags' event, in short. */
export type FlagNotice = { readonly flag: string; readonly ids: readonly number[] | 'all' } | null;

/** The flag of a message that was not delivered. */
const COPY = 'historical';

export class ReadModel {
  readonly messages = new Map<number, ModelMessage>();
  readonly subscribers = new Map<number, Set<number>>();
  readonly #rows = new Map<number, Map<number, Flags>>(USERS.map((id) => [id, new Map()]));

  constructor(subscriptions: readonly (readonly [streamId: number, userId: number])[]) {
    for (const id of STREAMS) this.subscribers.set(id, new Set());
    for (const [streamId, userId] of subscriptions) this.subscribers.get(streamId)?.add(userId);
  }

  rowsOf(userId: number): Map<number, Flags> {
    return this.#rows.get(userId) ?? new Map<number, Flags>();
  }

  isSubscribed(userId: number, streamId: number): boolean {
    return this.subscribers.get(streamId)?.has(userId) ?? false;
  }

  /** Members see the public streams, others what they are subscribed to. */
  canRead(userId: number, streamId: number): boolean {
    return streamId !== PRIVATE_STREAM || this.isSubscribed(userId, streamId);
  }

  send(
    message: Omit<ModelMessage, 'subscribers'>,
    named: Readonly<Record<'mentioned' | 'has_alert_word', readonly number[]>>,
  ): void {
    const { id, target, senderId, isWildcard } = message;
    const subscribers = new Map(
      [...this.subscribers].map(([streamId, users]) => [streamId, new Set(users)] as const),
    );
    this.messages.set(id, { ...message, subscribers });
    const holders =
      target.kind === 'private' ? target.userIds : [...(subscribers.get(target.streamId) ?? [])];
    for (const userId of holders) {
      const flags: Flags = new Set();
      if (userId === senderId) flags.add('read');
      if (isWildcard) flags.add('wildcard_mentioned');
      for (const flag of ['mentioned', 'has_alert_word'] as const) {
        if (named[flag].includes(userId)) flags.add(flag);
      }
      this.rowsOf(userId).set(id, flags);
    }
  }

  /** The ids that were unread, ascending. @param isMeant  which messages are marked */
  mark(userId: number, isMeant: (message: ModelMessage) => boolean): readonly number[] {
    const marked: number[] = [];
    for (const message of this.messages.values()) {
      const flags = this.rowsOf(userId).get(message.id);
      if (flags === undefined || flags.has('read') || !isMeant(message)) continue;
      flags.add('read');
      marked.push(message.id);
    }
    return marked;
  }

  /** Answers the ids that changed, ascending. */
  flag(userId: number, op: 'add' | 'remove', flag: string, ids: readonly number[]): number[] {
    return [...new Set(ids)]
      .sort((a, b) => a - b)
      .filter((id) => this.#flagOne(userId, op, flag, id));
  }

  #flagOne(userId: number, op: 'add' | 'remove', flag: string, id: number): boolean {
    const message = this.messages.get(id);
    if (message === undefined) return false;
    const rows = this.rowsOf(userId);
    if (!rows.has(id)) {
      const { target } = message;
      const isOpen = target.kind === 'stream' && this.canRead(userId, target.streamId);
      if (flag !== 'starred' || op === 'remove' || !isOpen) return false;
      rows.set(id, new Set(['read', COPY]));
    }
    const flags = rows.get(id);
    if (flags === undefined || flags.has(flag) === (op === 'add')) return false;
    // History stays read.
    if (flag === 'read' && flags.has(COPY)) return false;
    if (op === 'add') flags.add(flag);
    else flags.delete(flag);
    return true;
  }

  move(id: number, target: Extract<Target, { kind: 'stream' }>): void {
    const message = this.messages.get(id);
    if (message?.target.kind !== 'stream') return;
    const from = message.target.streamId;
    message.target = target;
    if (from === target.streamId) return;
    for (const userId of USERS) this.#moveRow(userId, message, target.streamId);
  }

  #moveRow(userId: number, message: ModelMessage, to: number): void {
    const before = this.rowsOf(userId).get(message.id);
    const isBarred = !this.canRead(userId, to);
    // Who may not read the new place is not shown what comes there, even if they were there when it was sent.
    if (isBarred) this.rowsOf(userId).delete(message.id);
    else if (message.subscribers.get(to)?.has(userId) === true) this.#hold(userId, message, before);
    else if (before?.has(COPY) === false) this.#keepCopy(userId, message.id, to);
  }

  /** Who was subscribed to the new place at the time; to whom it is new, it is old news. */
  #hold(userId: number, { id, isWildcard }: ModelMessage, before: Flags | undefined): void {
    const after: Flags = before ?? new Set([COPY]);
    if (after.delete(COPY)) {
      after.add('read');
      if (isWildcard) after.add('wildcard_mentioned');
    }
    this.rowsOf(userId).set(id, after);
  }

  /** Who held it and may still read it keeps a copy, if it follows the new place or has flagged the message. */
  #keepCopy(userId: number, id: number, to: number): void {
    const flags = this.rowsOf(userId).get(id);
    if (flags === undefined) return;
    flags.delete('wildcard_mentioned');
    const isFlagged = [...flags].some((flag) => flag !== 'read');
    if (isFlagged || this.isSubscribed(userId, to)) flags.add('read').add(COPY);
    else this.rowsOf(userId).delete(id);
  }

  remove(id: number): void {
    this.messages.delete(id);
    for (const userId of USERS) this.rowsOf(userId).delete(id);
  }
}
