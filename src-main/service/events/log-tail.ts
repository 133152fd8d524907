/** The recent end of the event log, kept in memory under a byte limit (architecture, section 4). */
import { defaultLimits } from '../../contract/limits.ts';
import type { LoggedEvent } from '../../contract/log.ts';
import type { Store } from '../store/port.ts';
import { sizeOfEvent } from './log-size.ts';

export interface LogTail {
  readonly append: (events: readonly LoggedEvent[]) => void;
  /** Events above an id, ascending; at most `limit` of them. */
  readonly readAfter: (afterId: number, limit: number) => Promise<readonly LoggedEvent[]>;
}

export function createLogTail(
  store: Pick<Store, 'listEventsAfter' | 'lastEventId'>,
  maxBytes = defaultLimits.memoryBytes,
): LogTail {
  let events: LoggedEvent[] = [];
  let bytes = 0;
  /** Everything above this id is in memory. */
  let floorId = store.lastEventId();

  function evict(): void {
    let count = 0;
    while (bytes > maxBytes && count < events.length) {
      const event = events[count];
      if (event === undefined) break;
      bytes -= sizeOfEvent(event);
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

  return {
    append(added) {
      for (const event of added) {
        bytes += sizeOfEvent(event);
        events.push(event);
      }
      if (bytes > maxBytes) evict();
    },
    readAfter(afterId, limit) {
      if (afterId < floorId) return store.listEventsAfter(afterId, limit);
      const index = indexAfter(afterId);
      return Promise.resolve(events.slice(index, index + limit));
    },
  };
}
