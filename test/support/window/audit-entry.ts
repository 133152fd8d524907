import type { AuditEntry } from '#shared/api/models/audit.ts';
import { ownUserId } from './office.ts';

/** An entry of the audit log as the service answers it. */
export const auditEntry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 1,
  type: 'role_changed',
  time: 1_767_700_000,
  actor_id: ownUserId,
  address: '192.0.2.1',
  client: 'Hearth',
  user_id: 9,
  stream_id: null,
  count: 1,
  details: {},
  ...more,
});
