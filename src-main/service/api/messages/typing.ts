import type { typing } from '../../../contract/api/messages/typing.ts';
import type { Handlers } from '../../ports/handlers.ts';
import { parsePrivateRecipients } from '../../domain/rules/messages/recipients.ts';
import { checkOp } from '../../domain/rules/ops.ts';
import type { TypingOperations } from '../../domain/messages/typing.ts';

export const typingHandlers = (domain: TypingOperations): Handlers<typeof typing> => ({
  async notify({ caller }, { op, to }) {
    await domain.notifyTyping(caller, checkOp(op, ['start', 'stop']), parsePrivateRecipients(to));
    return {};
  },
});
