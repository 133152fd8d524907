import { api as endpoints } from '#shared/api/endpoints/index.ts';
import { success } from '#shared/bridge/outcome.ts';
import { Snapshot, snapshotTypes } from '../sync/state/snapshot.ts';
import type { Api, QueuePosition } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';

/** A laptop that was closed over a long weekend finds its queue again. */
const QUEUE_LIFESPAN_SECONDS = 7 * 24 * 3600;

interface Registered {
  readonly snapshot: Snapshot;
  readonly position: QueuePosition;
}

/** A new queue, and the state that its events continue. @param outlives  whether another session may go on with it */
export async function registerQueue(
  api: Api,
  outlives: boolean,
  signal: AbortSignal,
): Promise<ApiOutcome<Registered>> {
  const args = {
    applyMarkdown: true,
    clientGravatar: true,
    includeSubscribers: false,
    fetchEventTypes: snapshotTypes,
    withSource: true,
    ...(outlives ? { queueLifespanSecs: QUEUE_LIFESPAN_SECONDS } : {}),
  };
  const outcome = await api.call(endpoints.events.register, args, { signal });
  if (!outcome.ok) return outcome;
  const { queue_id: queueId, last_event_id: lastEventId } = outcome.value;
  return success({
    snapshot: Snapshot.parse(outcome.value),
    position: { queueId, lastEventId },
  });
}
