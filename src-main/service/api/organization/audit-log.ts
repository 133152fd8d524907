import type { auditLog } from '../../../contract/api/organization/audit-log.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { AuditLogOperations } from '../../domain/organization/audit-log.ts';

export const auditLogHandlers = (domain: AuditLogOperations): Handlers<typeof auditLog> => ({
  list: (_call, request) => domain.listEntries(request),
  export: (call, request) => domain.exportEntries(call, request),
});
