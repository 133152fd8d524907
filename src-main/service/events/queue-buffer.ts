/** What waits in a queue. */
import type { LoggedEvent } from '../db/event-log.ts';

/** An event that waits in a queue, with the owner's flags if it is a message. */
export interface QueuedEvent {
  readonly event: LoggedEvent;
  readonly flags: readonly string[];
}

type BufferPiece = readonly QueuedEvent[];

const firstIdOf = (piece: BufferPiece): number => piece[0]?.event.id ?? 0;
const lastIdOf = (piece: BufferPiece): number => piece.at(-1)?.event.id ?? 0;
/** What of the piece lies above the id: the piece itself, where all of it does. */
export const above = (piece: BufferPiece, id: number): BufferPiece =>
  firstIdOf(piece) > id ? piece : piece.filter(({ event }) => event.id > id);

const noPiece: BufferPiece = [];
/** What comes in some seconds, between two acknowledgements of a stream. A longer table is not kept for what comes next. */
const KEPT_PIECES = 1024;

/**
 * The events of a queue in ascending order, as the pieces in which they were found. A thousand queues get the same piece
 * (`shared-payloads.ts`): it is kept as it is, so that what is made of it is made once (`shared-variants.ts`), and never changed.
 *
 * The table of the pieces stays when they are acknowledged: a new one for each queue every ten seconds would live just long
 * enough to grow old, and be collected only with everything else.
 */
export class QueueBuffer {
  /** None of the first `#count` is empty. */
  #pieces: BufferPiece[] = [];
  #count = 0;
  /** Of all pieces together. */
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Undefined where nothing waits. */
  get firstId(): number | undefined {
    return this.#count === 0 ? undefined : firstIdOf(this.#at(0));
  }

  /** 0 where nothing waits. */
  get lastId(): number {
    return this.#count === 0 ? 0 : lastIdOf(this.#at(this.#count - 1));
  }

  /** @param found  events above all that were added before */
  add(found: BufferPiece): void {
    if (found.length === 0) return;
    this.#pieces[this.#count] = found;
    this.#count += 1;
    this.#length += found.length;
  }

  /** Drops what lies at or below the id. */
  acknowledge(id: number): void {
    const from = this.#firstAbove(id);
    this.#pieces.copyWithin(0, from, this.#count);
    this.#cut(this.#count - from);
    if (this.#count > 0) this.#pieces[0] = above(this.#at(0), id);
    this.#measure();
  }

  /** What lies above the id, at most as many as the limit: the piece itself, where all of that is one. */
  after(id: number, limit = Infinity): readonly QueuedEvent[] {
    const from = this.#firstAbove(id);
    if (from === this.#count) return noPiece;
    const first = above(this.#at(from), id);
    const isAll = from === this.#count - 1;
    const all = isAll ? first : first.concat(...this.#pieces.slice(from + 1, this.#count));
    return all.length <= limit ? all : all.slice(0, limit);
  }

  /** They can no longer be told. */
  remove(gone: ReadonlySet<QueuedEvent>): void {
    if (gone.size === 0) return;
    const isThere = (queued: QueuedEvent): boolean => !gone.has(queued);
    const left = this.#pieces
      .slice(0, this.#count)
      .map((piece) => (piece.every(isThere) ? piece : piece.filter(isThere)));
    this.#pieces = left.filter(({ length }) => length > 0);
    this.#count = this.#pieces.length;
    this.#measure();
  }

  clear(): void {
    this.#cut(0);
    this.#measure();
  }

  #at(place: number): BufferPiece {
    return this.#pieces[place] ?? noPiece;
  }

  /** The place of the first piece of which something lies above the id. What is asked for is nearly always at the end. */
  #firstAbove(id: number): number {
    let from = this.#count;
    while (from > 0 && lastIdOf(this.#at(from - 1)) > id) from -= 1;
    return from;
  }

  /** Leaves the first ones, and nothing that keeps the others alive. */
  #cut(count: number): void {
    if (this.#pieces.length > KEPT_PIECES) this.#pieces.length = count;
    else this.#pieces.fill(noPiece, count, this.#count);
    this.#count = count;
  }

  #measure(): void {
    this.#length = 0;
    for (let place = 0; place < this.#count; place++) this.#length += this.#at(place).length;
  }
}
