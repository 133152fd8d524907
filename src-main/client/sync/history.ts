/** Messages that a session fetches by itself, decoded one by one: one that is malformed must not hide the others. */
import { z } from 'zod';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import { Message } from '#shared/api/models/message.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { Api } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';

/** Small enough that the window stays usable while a page is kept. */
const CATCH_UP_PAGE = 500;

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

/** The newest messages that the account received, and of all that its streams show, ascending. */
export async function newestMessages(
  api: Api,
  count: number,
  signal: AbortSignal,
): Promise<ApiOutcome<readonly Message[]>> {
  const outcome = await api.call(
    page,
    {
      anchor: NEWEST_ANCHOR,
      numBefore: count,
      numAfter: 0,
      reach: 'subscribed',
      clientGravatar: true,
      withSource: true,
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
  take: (messages: readonly Message[]) => Outcome<null>,
  signal: AbortSignal,
): Promise<ApiOutcome<null>> {
  let newestId = Math.max(0, afterId);
  for (;;) {
    const outcome = await api.call(
      page,
      {
        anchor: newestId,
        numBefore: 0,
        numAfter: CATCH_UP_PAGE,
        clientGravatar: true,
        withSource: true,
      },
      { signal },
    );
    if (!outcome.ok) return outcome;
    const { messages, found_newest: isComplete } = outcome.value;
    const taken = take(decoded(messages).filter(({ id }) => id > afterId));
    if (!taken.ok) return taken;
    const pageNewestId = Math.max(
      ...messages.map((item) => Numbered.safeParse(item).data?.id ?? 0),
    );
    if (isComplete || !(pageNewestId > newestId)) return success(null);
    newestId = pageNewestId;
  }
}
