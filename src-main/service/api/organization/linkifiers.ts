import type { linkifiers } from '../../../contract/api/organization/linkifiers.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { LinkifierOperations } from '../../domain/organization/linkifiers.ts';

export const linkifierHandlers = (domain: LinkifierOperations): Handlers<typeof linkifiers> => ({
  filters: async () => ({
    filters: (await domain.listLinkifiers()).map((row) => [row.pattern, row.url_format, row.id]),
  }),
  list: async () => ({ linkifiers: [...(await domain.listLinkifiers())] }),
  add: async (call, { pattern, urlFormatString }) => ({
    id: await domain.addLinkifier(call, pattern, urlFormatString),
  }),
  async remove(call, { filterId }) {
    await domain.removeLinkifier(call, filterId);
    return {};
  },
});
