import { api } from '#shared/api/endpoints/index.ts';
import { ada, type How, type TestService } from './api.ts';

/** Somebody new asks to join. */
export async function newJoinRequest(service: TestService, email: string, how: How = {}) {
  const name = 'Somebody New';
  const { secret } = await service.ask(null, api.joinRequests.ask, { full_name: name, email }, how);
  const { requests } = await service.ask(ada, api.joinRequests.list);
  const request_id = requests.find((each) => each.email === email)?.id ?? 0;
  return { request_id, secret, details: { name, email } };
}

/** Somebody new asks and is answered; what the audit log keeps of that. */
export async function decideJoinRequest(
  service: TestService,
  decision: 'accept' | 'decline',
  how: How,
) {
  const { request_id, details } = await newJoinRequest(service, `${decision}@example.com`, how);
  await service.ask(ada, api.joinRequests[decision], { request_id }, how);
  if (decision === 'decline') return details;
  const { invites } = await service.ask(ada, api.invitations.list);
  return { ...details, role: 'member', invitation_id: invites.at(-1)?.id ?? 0 } as const;
}
