/** Messages that a session fetches by itself, decoded one by one: one that is malformed must not hide the others. */
import { z } from 'zod';
import { api as endpoints } from '../contract/api/index.ts';
import { NEWEST_ANCHOR } from '../contract/codecs.ts';
import { Message } from '../contract/models/message.ts';
import { success } from '../contract/outcome.ts';
import type { Api, ApiOutcome } from './api.ts';

const RECENT_PRIVATE_MESSAGES = 200;
const CATCH_UP_PAGE = 1000;

const page = {
  ...endpoints.messages.page,
  result: z.object({ found_newest: z.boolean(), messages: z.array(z.unknown()) }),
};

const Numbered = z.looseObject({ id: z.int() });

const decoded = (messages: readonly unknown[]): readonly Message[] =>
  messages.flatMap((message) => {
    const { data } = Message.safeParse(message);
    return data === undefined ? [] : [data];
  });

export async function recentPrivateMessages(
  api: Api,
  signal: AbortSignal,
): Promise<ApiOutcome<readonly Message[]>> {
  const outcome = await api.call(
    page,
    {
      anchor: NEWEST_ANCHOR,
      numBefore: RECENT_PRIVATE_MESSAGES,
      numAfter: 0,
      narrow: [{ operator: 'is', operand: 'private' }],
      clientGravatar: true,
    },
    { signal },
  );
  return outcome.ok ? success(decoded(outcome.value.messages)) : outcome;
}

/**
 * Everything that the account received after the message `afterId`, page by page, ascending.
 * @param take  called with each page as it comes, so that a later failure loses nothing
 */
export async function messagesAfter(
  api: Api,
  afterId: number,
  take: (messages: readonly Message[]) => void,
  signal: AbortSignal,
): Promise<ApiOutcome<null>> {
  let newestId = Math.max(0, afterId);
  for (;;) {
    const outcome = await api.call(
      page,
      { anchor: newestId, numBefore: 0, numAfter: CATCH_UP_PAGE, clientGravatar: true },
      { signal },
    );
    if (!outcome.ok) return outcome;
    const { messages, found_newest: isComplete } = outcome.value;
    take(decoded(messages).filter(({ id }) => id > afterId));
    const pageNewestId = Math.max(
      ...messages.map((item) => Numbered.safeParse(item).data?.id ?? 0),
    );
    if (isComplete || !(pageNewestId > newestId)) return success(null);
    newestId = pageNewestId;
  }
}
