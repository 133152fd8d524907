import type { subscriptions } from '#shared/api/endpoints/streams/subscriptions.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { SubscriptionSettingOperations } from '../operations/subscription-settings.ts';
import type { SubscriptionOperations } from '../operations/subscriptions.ts';

export const subscriptionHandlers = (
  domain: SubscriptionOperations & SubscriptionSettingOperations,
): Handlers<typeof subscriptions> => ({
  unsubscribe: (call, { subscriptions: names, principals }) =>
    domain.unsubscribe(call, names, principals),
  change: (call, { add, delete: removed }) => domain.changeSubscriptions(call, add, removed),
  async setProperties({ caller }, { subscriptionData }) {
    await domain.setProperties(caller, subscriptionData);
    return { subscription_data: [...subscriptionData] };
  },
  async muteTopic({ caller }, params) {
    await domain.muteTopic(caller, params);
    return {};
  },
});
