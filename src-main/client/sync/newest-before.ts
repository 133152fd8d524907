import { ServiceError } from '#shared/api/errors.ts';
import type { Cache } from '../cache/port.ts';
import { narrowOf } from './shown-message.ts';
import type { EventContext } from './state/apply.ts';
import { scopeOf } from './state/scope.ts';
import type { SessionState } from './state/session-state.ts';

/** Asked where the newest message of a private conversation was deleted. */
export const newestBeforeIn =
  (upToDate: () => Cache, state: SessionState): NonNullable<EventContext['newestBefore']> =>
  (userIds, id) => {
    const narrow = narrowOf({ kind: 'private', userIds }, state.ownUserId);
    try {
      const page = upToDate().page(
        { narrow, anchor: id, numBefore: 1, numAfter: 0 },
        scopeOf(state),
      );
      const newest = page.messages.findLast((message) => message.id < id);
      return newest?.id ?? (page.isComplete ? null : undefined);
    } catch (error) {
      // Somebody of whom nothing is known here.
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  };
