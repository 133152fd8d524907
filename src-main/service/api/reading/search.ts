import type { search } from '../../../contract/api/reading/search.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { MatchOperations } from '../../domain/reading/matches.ts';

export const searchHandlers = (domain: MatchOperations): Handlers<typeof search> => ({
  matchesNarrow: async ({ caller }, { msgIds, narrow }) => ({
    messages: await domain.matchMessages(caller, msgIds, narrow),
  }),
});
