/** How much of the event log waits for the slowest queue, measured as events come and go. */
import { memoized } from '../core/cache/attached.ts';
import type { LoggedEvent } from '../db/event-log.ts';

/** A run of neighbouring events, measured together. */
export interface LogSegment {
  readonly throughId: number;
  readonly events: number;
  readonly bytes: number;
}

const EVENT_BYTES = 200;
const USER_ID_BYTES = 8;
const SEGMENT_EVENTS = 1000;
/** So many segments at least fill a limit: what is dropped is counted by segments. */
const SEGMENTS = 20;

const payloadSize = memoized(({ payload }: LoggedEvent) => JSON.stringify(payload).length);

/** About what an event takes, on disk and in memory. */
export const sizeOfEvent = (event: LoggedEvent): number =>
  EVENT_BYTES +
  (event.audience.kind === 'users' ? event.audience.userIds.length * USER_ID_BYTES : 0) +
  (event.type === 'message' ? 0 : payloadSize(event));

export class LogSize {
  readonly #limits: { readonly events: number; readonly bytes: number };
  readonly #full: { readonly events: number; readonly bytes: number };
  /** Ascending. */
  #segments: LogSegment[] = [];

  constructor(limits: { readonly events: number; readonly bytes: number }) {
    this.#limits = limits;
    this.#full = {
      events: Math.min(SEGMENT_EVENTS, limits.events / SEGMENTS),
      bytes: limits.bytes / SEGMENTS,
    };
  }

  /** What was there before the first `append`. */
  prepend(segments: readonly LogSegment[]): void {
    this.#segments.unshift(...segments);
  }

  append(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      const last = this.#segments.at(-1);
      const isFull =
        last === undefined || last.events >= this.#full.events || last.bytes >= this.#full.bytes;
      const grown = {
        throughId: event.id,
        events: (isFull ? 0 : last.events) + 1,
        bytes: (isFull ? 0 : last.bytes) + sizeOfEvent(event),
      };
      if (isFull) this.#segments.push(grown);
      else this.#segments[this.#segments.length - 1] = grown;
    }
  }

  /** Events up to this id are no longer in the log. */
  trim(throughId: number): void {
    this.#segments = this.#segments.filter((segment) => segment.throughId > throughId);
  }

  /** The newest id that the log need not keep: what still waits for it is too far behind. 0 when all of it may stay. */
  floorId(): number {
    let events = 0;
    let bytes = 0;
    for (const segment of this.#segments.toReversed()) {
      events += segment.events;
      bytes += segment.bytes;
      if (events > this.#limits.events || bytes > this.#limits.bytes) return segment.throughId;
    }
    return 0;
  }
}
