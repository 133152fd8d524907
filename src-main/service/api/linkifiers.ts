import type { linkifiers } from '../../contract/api/linkifiers.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { LinkifierOperations } from '../domain/linkifiers.ts';

export const linkifierHandlers = (domain: LinkifierOperations): Handlers<typeof linkifiers> => ({
  filters: async () => ({
    filters: (await domain.listLinkifiers()).map((row) => [row.pattern, row.url_format, row.id]),
  }),
  list: async () => ({ linkifiers: [...(await domain.listLinkifiers())] }),
  add: async (_call, { pattern, urlFormatString }) => ({
    id: await domain.addLinkifier(pattern, urlFormatString),
  }),
  async remove(_call, { filterId }) {
    await domain.removeLinkifier(filterId);
    return {};
  },
});
