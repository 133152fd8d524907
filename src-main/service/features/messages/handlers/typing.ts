import type { typing } from '#shared/api/endpoints/messages/typing.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import { parsePrivateRecipients } from '../rules/recipients.ts';
import { checkOp } from '#service/core/rules/ops.ts';
import type { TypingOperations } from '../operations/typing.ts';

export const typingHandlers = (domain: TypingOperations): Handlers<typeof typing> => ({
  async notify({ caller }, { op, to }) {
    await domain.notifyTyping(caller, checkOp(op, ['start', 'stop']), parsePrivateRecipients(to));
    return {};
  },
});
