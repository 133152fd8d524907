import type { passwordLinks } from '#shared/api/endpoints/people/password-links.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { PasswordLinkOperations } from '../operations/password-links.ts';

export const passwordLinkHandlers = (
  domain: PasswordLinkOperations,
): Handlers<typeof passwordLinks> => ({
  make: (call, ask) => domain.makePasswordLink(call, ask, call.sharedOrigin),
  use: (call, params) => domain.usePasswordLink(call, params),
});
