/** A page of messages from the service that no event made old while it was on its way. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { AnswerOf, ArgumentsOf } from '#shared/api/endpoint.ts';
import type { Message } from '#shared/api/models/message.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { Api } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import type { SyncState } from './account-sync.ts';

type Answered = AnswerOf<typeof endpoints.messages.page>;
export type FetchedPage = Omit<Answered, 'messages'> & { readonly messages: readonly Message[] };

/** Where messages change faster than they can be asked for, what is known of them here makes up for the rest. */
const MAX_ATTEMPTS = 3;

/** Keeps the messages, and answers them as they are here. */
export async function fetchPage(
  api: Api,
  sync: () => SyncState,
  args: ArgumentsOf<typeof endpoints.messages.page>,
): Promise<ApiOutcome<FetchedPage>> {
  for (let attempt = 1; ; attempt += 1) {
    const known = sync();
    const askedAt = known.changeCount();
    const outcome = await api.call(endpoints.messages.page, args);
    if (!outcome.ok) return outcome;
    const page = outcome.value;
    const isSame = sync() === known;
    if (isSame && known.isCurrent(page.messages, askedAt)) {
      return success({ ...page, messages: known.takePage(page.messages, askedAt) });
    }
    if (attempt < MAX_ATTEMPTS) continue;
    // A cache that was made anew meanwhile cannot tell what changed: it takes nothing.
    const messages = isSame ? known.takePage(page.messages, askedAt) : page.messages;
    return success({ ...page, messages });
  }
}
