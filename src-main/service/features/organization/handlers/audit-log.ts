import type { auditLog } from '#shared/api/endpoints/organization/audit-log.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { AuditLogOperations } from '../operations/audit-log.ts';

export const auditLogHandlers = (domain: AuditLogOperations): Handlers<typeof auditLog> => ({
  list: (_call, request) => domain.listEntries(request),
  export: (call, request) => domain.exportEntries(call, request),
});
