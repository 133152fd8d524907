import type { alertWords } from '../../../contract/api/people/alert-words.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { AlertWordOperations } from '../../domain/text/alert-words.ts';

const answer = async (words: Promise<readonly string[]>): Promise<{ alert_words: string[] }> => ({
  alert_words: [...(await words)],
});

export const alertWordHandlers = (domain: AlertWordOperations): Handlers<typeof alertWords> => ({
  list: ({ caller }) => answer(domain.listAlertWords(caller)),
  add: ({ caller }, params) => answer(domain.addAlertWords(caller, params.alertWords)),
  put: ({ caller }, params) => answer(domain.addAlertWords(caller, params.alertWords)),
  remove: ({ caller }, params) => answer(domain.removeAlertWords(caller, params.alertWords)),
});
