import type { search } from '#shared/api/endpoints/reading/search.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { MatchOperations } from '../operations/matches.ts';

export const searchHandlers = (domain: MatchOperations): Handlers<typeof search> => ({
  matchesNarrow: async ({ caller }, { msgIds, narrow }) => ({
    messages: await domain.matchMessages(caller, msgIds, narrow),
  }),
});
