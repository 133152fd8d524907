import type { search } from '../../contract/api/search.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { MatchOperations } from '../domain/matches.ts';

export const searchHandlers = (domain: MatchOperations): Handlers<typeof search> => ({
  matchesNarrow: async ({ caller }, { msgIds, narrow }) => ({
    messages: await domain.matchMessages(caller, msgIds, narrow),
  }),
});
