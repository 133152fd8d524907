import type { profileFields } from '#shared/api/endpoints/people/profile-fields.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { ProfileOperations } from '../operations/profile.ts';

export const profileFieldHandlers = (
  domain: ProfileOperations,
): Handlers<typeof profileFields> => ({
  list: async () => ({ custom_fields: await domain.listFields() }),
  add: async (call, params) => ({ id: await domain.addField(call, params) }),
  async order({ caller }, { order }) {
    await domain.orderFields(caller, order);
    return {};
  },
  async update(call, params) {
    await domain.changeField(call, params);
    return {};
  },
  async remove(call, { fieldId }) {
    await domain.removeField(call, fieldId);
    return {};
  },
  async answer({ caller }, { data }) {
    await domain.answer(caller, data);
    return {};
  },
  async withdraw({ caller }, { data }) {
    await domain.answer(
      caller,
      data.map((id) => ({ id, value: null })),
    );
    return {};
  },
});
