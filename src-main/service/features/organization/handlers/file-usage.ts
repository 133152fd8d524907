import type { officeFiles } from '#shared/api/endpoints/organization/file-usage.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { OrganizationFileOperations } from '../operations/file-usage.ts';

export const organizationFileHandlers = (
  domain: OrganizationFileOperations,
): Handlers<typeof officeFiles> => ({
  listOwn: ({ caller }, { limit }) => domain.listOwn(caller, limit),
  listAll: ({ caller }, { limit }) => domain.listAll(caller, limit),
});
