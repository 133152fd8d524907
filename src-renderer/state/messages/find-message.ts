import type { Conversation } from '#shared/bridge/models/client.ts';
import type { Bridge } from '#preload/bridge.ts';

/** The conversation that a message is in now; null where it is not here, or nobody can tell. */
export async function findMessage(
  bridge: Pick<Bridge, 'messages'>,
  accountId: string,
  messageId: number,
): Promise<Conversation | null> {
  const terms = [{ operator: 'id', operand: messageId }];
  const request = {
    view: { kind: 'search', terms },
    anchor: messageId,
    before: 0,
    after: 0,
  } as const;
  try {
    const outcome = await bridge.messages(accountId, request);
    if (!outcome.ok) return null;
    return outcome.value.messages.find(({ id }) => id === messageId)?.conversation ?? null;
  } catch {
    // A rejection is a bug on the other side, which logs it.
    return null;
  }
}
