import type { linkifiers } from '#shared/api/endpoints/organization/linkifiers.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { LinkifierOperations } from '../operations/linkifiers.ts';

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
