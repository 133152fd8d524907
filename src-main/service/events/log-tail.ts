/** The recent end of the event log, kept in memory under a byte limit (architecture 4). */
import { defaultLimits } from '#shared/limits.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import type { Store } from '../db/port.ts';
import { sizeOfEvent } from './log-size.ts';

/** What an event takes in memory beside what it takes in the file: objects instead of text. */
const OBJECT_BYTES = 400;
/** What is left of the limit once it has been reached. */
const KEPT_SHARE = 7 / 8;
const bytesOf = (event: LoggedEvent): number => OBJECT_BYTES + sizeOfEvent(event);

interface SharedRead<T> {
  readonly afterId: number;
  readonly limit: number;
  readonly events: T;
}

export interface LogTail {
  readonly append: (events: readonly LoggedEvent[]) => void;
  /** Events above an id, ascending; at most `limit` of them. */
  readonly readAfter: (afterId: number, limit: number) => Promise<readonly LoggedEvent[]>;
  /** The same out of memory, one list for all who ask for it; undefined where it would have to be read. */
  readonly recentAfter: (afterId: number, limit: number) => readonly LoggedEvent[] | undefined;
}

/** What is asked of the file, each time by one after the other: read once. */
function sharedReads(store: Pick<Store, 'listEventsAfter'>) {
  let asked: SharedRead<Promise<readonly LoggedEvent[]>> | undefined;
  const forget = (): void => void (asked = undefined);
  return {
    /** After something was added. */
    forget,
    readAfter(afterId: number, limit: number): Promise<readonly LoggedEvent[]> {
      if (asked?.afterId === afterId && asked.limit === limit) return asked.events;
      const events = store.listEventsAfter(afterId, limit);
      asked = { afterId, limit, events };
      events.catch(forget);
      return events;
    },
  };
}

export function createLogTail(
  store: Pick<Store, 'listEventsAfter' | 'lastEventId'>,
  maxBytes = defaultLimits.memoryBytes,
): LogTail {
  let events: LoggedEvent[] = [];
  let bytes = 0;
  /** Everything above this id is in memory. */
  let floorId = store.lastEventId();
  /** What was asked for last: after a commit every queue asks for the same. */
  let asked: SharedRead<readonly LoggedEvent[]> | undefined;
  const file = sharedReads(store);

  /** Some more than has to go: the list is copied, which is not to be done for each event. */
  function evict(): void {
    let count = 0;
    while (bytes > maxBytes * KEPT_SHARE && count < events.length) {
      const event = events[count];
      if (event === undefined) break;
      bytes -= bytesOf(event);
      floorId = event.id;
      count += 1;
    }
    if (count > 0) events = events.slice(count);
  }

  function indexAfter(id: number): number {
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events[middle]?.id ?? Infinity) <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function recentAfter(afterId: number, limit: number): readonly LoggedEvent[] | undefined {
    if (afterId < floorId) return undefined;
    if (asked?.afterId !== afterId || asked.limit !== limit) {
      const index = indexAfter(afterId);
      asked = { afterId, limit, events: events.slice(index, index + limit) };
    }
    return asked.events;
  }

  return {
    append(added) {
      asked = undefined;
      file.forget();
      for (const event of added) {
        bytes += bytesOf(event);
        events.push(event);
      }
      if (bytes > maxBytes) evict();
    },
    readAfter(afterId, limit) {
      const recent = recentAfter(afterId, limit);
      return recent === undefined ? file.readAfter(afterId, limit) : Promise.resolve(recent);
    },
    recentAfter,
  };
}
