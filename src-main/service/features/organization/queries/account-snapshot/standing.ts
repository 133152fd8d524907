/** What was closed, as it is kept beside archives, and as a restored organization takes it back (architecture 3). */
import {
  messageDeleteReads,
  messageDeleteWrites,
} from '#service/features/messages/queries/message-deletes.ts';
import { type Operation, run } from '#service/db/operation.ts';
import { listPeople, type People, takePeople } from './accounts.ts';
import { listOrganization, type OrganizationStanding, takeOrganization } from './organization.ts';
import { textReads } from './texts.ts';
import { listStreamsStanding, type StreamsStanding, takeStreams } from './streams.ts';

/** What is absent was not known to the version that wrote it, and is left as it is in the archive. */
export interface Standing extends People {
  readonly streams?: StreamsStanding;
  readonly organization?: OrganizationStanding;
  /** Ids of messages that somebody deleted. */
  readonly deletedIds?: readonly number[];
}

const NOTE_DELETED = `INSERT INTO deleted_message (message_id)
  SELECT value FROM json_each(:deletedIds) WHERE true ON CONFLICT DO NOTHING`;

export const standingReads = {
  ...textReads,
  /** As it is at this moment. */
  *findStanding(): Operation<Standing> {
    return {
      ...(yield* listPeople()),
      streams: yield* listStreamsStanding(),
      organization: yield* listOrganization(),
      deletedIds: yield* messageDeleteReads.listDeletedIds(),
    };
  },
};

/** Step: what somebody deleted since is gone, also where only members still have it. */
function* takeDeletions(deletedIds: readonly number[]): Operation<void> {
  yield* messageDeleteWrites.deleteMessages(deletedIds);
  yield* run(NOTE_DELETED, { deletedIds: JSON.stringify(deletedIds) });
}

/**
 * Step: lets an organization be as it was later. Answers how many accounts are another thing now.
 * @param generations  of each account's keys, when the copy was made
 */
export function* takeStanding(
  later: Standing,
  generations: ReadonlyMap<number, number>,
): Operation<number> {
  const changed = yield* takePeople(later, generations);
  if (later.streams !== undefined) yield* takeStreams(later.streams);
  if (later.organization !== undefined) yield* takeOrganization(later.organization);
  yield* takeDeletions(later.deletedIds ?? []);
  return changed;
}
