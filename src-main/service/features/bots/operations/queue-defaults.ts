/** Bots. */
import type { Caller } from '#service/core/ports/handlers.ts';
import type { QueueTerm } from '#shared/api/narrow.ts';
import type { Store } from '#service/db/port.ts';

/** What a queue takes where the call that registers it does not say. */
export interface QueueDefaults {
  readonly allPublicStreams: boolean;
  readonly narrow: readonly QueueTerm[];
}

export interface BotOperations {
  /** People have none (API decisions 8.1). */
  readonly getQueueDefaults: (caller: Caller) => Promise<QueueDefaults>;
}

const none: QueueDefaults = { allPublicStreams: false, narrow: [] };

export const botOperations = (store: Store): BotOperations => ({
  async getQueueDefaults(caller) {
    const bot = caller.botType === null ? undefined : await store.findUser(caller.userId);
    if (bot === undefined) return none;
    const streamId = bot.default_events_register_stream_id;
    const stream = streamId === null ? undefined : await store.findStream(streamId);
    return {
      allPublicStreams: bot.default_all_public_streams === 1,
      narrow: stream?.is_archived === 0 ? [['stream', stream.name]] : [],
    };
  },
});
