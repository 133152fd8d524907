/** One queue: a cursor on the log with its filters (architecture, section 4). */
import type { LoggedEvent } from '../../contract/log.ts';
import type { QueueTerm } from '../../contract/narrow.ts';

export interface QueueOptions {
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  /** Absent in what was stored before there was this option. */
  readonly withSource?: boolean;
  readonly includeSubscribers: boolean;
  readonly allPublicStreams: boolean;
  /** Null for all. */
  readonly eventTypes: readonly string[] | null;
  readonly narrow: readonly QueueTerm[];
}

/** An event that waits in a queue, with the owner's flags if it is a message. */
export interface Pending {
  readonly event: LoggedEvent;
  readonly flags: readonly string[];
}

export interface Queue {
  readonly id: string;
  readonly userId: number;
  readonly options: QueueOptions;
  readonly registeredId: number;
  readonly lifespanSeconds: number;
  acknowledgedId: number;
  /** Events up to this id are pending, acknowledged or not meant for this queue. */
  scannedId: number;
  pending: readonly Pending[];
  scanning: Promise<void> | null;
  /** Milliseconds since 1970. */
  lastSeenAtMs: number;
  /** The newest fetch; an older one that finds another here has been taken over. */
  fetch: object | null;
}

/** How far the log is no longer needed by the queue: what is pending stays, what was not meant for it does not. */
export const cursorOf = (queue: Queue): number => {
  const first = queue.pending[0];
  return Math.max(queue.acknowledgedId, first === undefined ? queue.scannedId : first.event.id - 1);
};

/** Drops what is acknowledged; an id beyond the newest one acknowledges everything there is. */
export function acknowledge(queue: Queue, eventId: number, newestId: number): void {
  queue.acknowledgedId = Math.max(queue.acknowledgedId, Math.min(eventId, newestId));
  queue.pending = queue.pending.filter(({ event }) => event.id > queue.acknowledgedId);
}
