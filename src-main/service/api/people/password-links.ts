import type { passwordLinks } from '../../../contract/api/people/password-links.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { PasswordLinkOperations } from '../../domain/people/password-links.ts';

export const passwordLinkHandlers = (
  domain: PasswordLinkOperations,
): Handlers<typeof passwordLinks> => ({
  make: (call, ask) => domain.makePasswordLink(call, ask, call.sharedOrigin),
  use: (call, params) => domain.usePasswordLink(call, params),
});
