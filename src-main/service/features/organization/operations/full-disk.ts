/** Tells administrators that the disk is almost full: those who can make room seldom upload themselves. */
import { ServiceError } from '#shared/api/errors.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import type { MessageOperations } from '#service/features/messages/operations/messages.ts';

const CONTENT =
  'I could not upload a file: the disk of the service is almost full. Nobody can upload files until there is room again; messages still go through.';

/** They have a day to make room before they hear of it again. */
const QUIET_SECONDS = 24 * 60 * 60;

/** @returns what is called for every upload that was refused, by whoever uploaded */
export function createFullDiskNotice(
  store: Store,
  { nowSeconds }: Pick<DomainContext, 'nowSeconds'>,
  { sendMessage }: Pick<MessageOperations, 'sendMessage'>,
): (caller: Caller) => Promise<void> {
  let toldAt = Number.NEGATIVE_INFINITY;

  /** Each for themselves: a conversation of all of them would be one more to answer in. */
  async function write(caller: Caller, userId: number): Promise<boolean> {
    try {
      await sendMessage(caller, {
        client: 'Internal',
        content: CONTENT,
        echo: null,
        target: { kind: 'private', recipients: { emails: [], userIds: [userId] } },
      });
      return true;
    } catch (reason) {
      // Not everybody may write to administrators: the next one who uploads may.
      if (!(reason instanceof ServiceError)) throw reason;
      return false;
    }
  }

  return async (caller) => {
    const before = toldAt;
    if (nowSeconds() - before < QUIET_SECONDS) return;
    // Noted first: others upload at the same time.
    toldAt = nowSeconds();
    let isTold = false;
    for (const { id, role, is_active, bot_type } of await store.listUsers()) {
      const isAsked = role === 'admin' && is_active === 1 && bot_type === null;
      if (isAsked && id !== caller.userId) isTold = (await write(caller, id)) || isTold;
    }
    if (!isTold) toldAt = before;
  };
}
