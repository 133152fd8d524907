import type { profileFields } from '../../contract/api/profile-fields.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { ProfileOperations } from '../domain/profile.ts';

export const profileFieldHandlers = (
  domain: ProfileOperations,
): Handlers<typeof profileFields> => ({
  list: async () => ({ custom_fields: await domain.listFields() }),
  add: async (_call, params) => ({ id: await domain.addField(params) }),
  async order(_call, { order }) {
    await domain.orderFields(order);
    return {};
  },
  async update(_call, params) {
    await domain.changeField(params);
    return {};
  },
  async remove(_call, { fieldId }) {
    await domain.removeField(fieldId);
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
