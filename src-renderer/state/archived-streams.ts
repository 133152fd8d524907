import type { ListedStream } from '#shared/bridge/models/client-state.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { RequestResult } from '#shared/bridge/requestable.ts';
import { byName } from '../lib/by-name.ts';
import { LoadedList } from './loaded-list.svelte.ts';
import type { SettingsWrites } from './settings/settings-writes.ts';

export interface ArchivedStream extends ListedStream {
  /** Null where it is not known. */
  readonly archivedAtSeconds: number | null;
  /** Who is in it again when it comes back. */
  readonly returningIds: readonly number[];
}

const archivedOf = (
  each: RequestResult<'streams.list'>['streams'][number],
): readonly ArchivedStream[] =>
  each.is_archived === true
    ? [
        {
          streamId: each.stream_id,
          name: each.name,
          description: each.description,
          isPrivate: each.invite_only,
          isAnnouncementOnly: each.is_announcement_only,
          hasSharedHistory: each.history_public_to_subscribers,
          firstMessageId: each.first_message_id,
          weeklyTraffic: null,
          archivedAtSeconds: each.archived_at ?? null,
          returningIds: each.returning_user_ids ?? [],
        },
      ]
    : [];

/** For administrators. */
export const archivedStreams = (
  writes: Pick<SettingsWrites, 'request'>,
): LoadedList<ArchivedStream> =>
  new LoadedList(async () => {
    const wanted = { includePublic: false, includeSubscribed: false, includeArchived: true };
    const outcome = await writes.request('streams.list', wanted);
    return outcome.ok ? success(outcome.value.streams.flatMap(archivedOf).sort(byName)) : outcome;
  });
