/** What was closed, as it is kept beside archives, and as a restored organization takes it back (architecture 3). */
import {
  messageDeleteReads,
  messageDeleteWrites,
} from '#service/features/messages/queries/message-deletes.ts';
import { type Operation, run } from '#service/db/operation.ts';
import { listPeople, type PeopleSnapshot, applyPeople } from './accounts.ts';
import { listOrganization, type OrganizationSnapshot, applyOrganization } from './organization.ts';
import { changedTextReads } from './texts.ts';
import { listStreamSnapshots, type StreamsSnapshot, applyStreams } from './streams.ts';

/** What is absent was not known to the version that wrote it, and is left as it is in the archive. */
export interface AccountSnapshot extends PeopleSnapshot {
  readonly streams?: StreamsSnapshot;
  readonly organization?: OrganizationSnapshot;
  /** Ids of messages that somebody deleted. */
  readonly deletedIds?: readonly number[];
}

const NOTE_DELETED = `INSERT INTO deleted_message (message_id)
  SELECT value FROM json_each(:deletedIds) WHERE true ON CONFLICT DO NOTHING`;

export const accountSnapshotReads = {
  ...changedTextReads,
  /** As it is at this moment. */
  *readAccountSnapshot(): Operation<AccountSnapshot> {
    return {
      ...(yield* listPeople()),
      streams: yield* listStreamSnapshots(),
      organization: yield* listOrganization(),
      deletedIds: yield* messageDeleteReads.listDeletedIds(),
    };
  },
};

/** Step: what somebody deleted since is gone, also where only members still have it. */
function* applyDeletions(deletedIds: readonly number[]): Operation<void> {
  yield* messageDeleteWrites.deleteMessages(deletedIds);
  yield* run(NOTE_DELETED, { deletedIds: JSON.stringify(deletedIds) });
}

/**
 * Step: lets an organization be as it was later. Answers how many accounts are another thing now.
 * @param generations  of each account's keys, when the copy was made
 */
export function* applyAccountSnapshot(
  later: AccountSnapshot,
  generations: ReadonlyMap<number, number>,
): Operation<number> {
  const changed = yield* applyPeople(later, generations);
  if (later.streams !== undefined) yield* applyStreams(later.streams);
  if (later.organization !== undefined) yield* applyOrganization(later.organization);
  yield* applyDeletions(later.deletedIds ?? []);
  return changed;
}
