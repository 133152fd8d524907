import type { officeFiles } from '../../../contract/api/organization/office-files.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { OfficeFileOperations } from '../../domain/organization/office-files.ts';

export const officeFileHandlers = (domain: OfficeFileOperations): Handlers<typeof officeFiles> => ({
  listOwn: ({ caller }, { limit }) => domain.listOwn(caller, limit),
  listAll: ({ caller }, { limit }) => domain.listAll(caller, limit),
});
