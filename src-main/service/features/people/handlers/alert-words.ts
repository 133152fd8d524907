import type { alertWords } from '#shared/api/endpoints/people/alert-words.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { AlertWordOperations } from '#service/core/text/alert-words.ts';

const answer = async (words: Promise<readonly string[]>): Promise<{ alert_words: string[] }> => ({
  alert_words: [...(await words)],
});

export const alertWordHandlers = (domain: AlertWordOperations): Handlers<typeof alertWords> => ({
  list: ({ caller }) => answer(domain.listAlertWords(caller)),
  add: ({ caller }, params) => answer(domain.addAlertWords(caller, params.alertWords)),
  put: ({ caller }, params) => answer(domain.addAlertWords(caller, params.alertWords)),
  remove: ({ caller }, params) => answer(domain.removeAlertWords(caller, params.alertWords)),
});
