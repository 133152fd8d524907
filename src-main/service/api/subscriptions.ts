import type { subscriptions } from '../../contract/api/subscriptions.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { SubscriptionSettingOperations } from '../domain/subscription-settings.ts';
import type { SubscriptionOperations } from '../domain/subscriptions.ts';

export const subscriptionHandlers = (
  domain: SubscriptionOperations & SubscriptionSettingOperations,
): Handlers<typeof subscriptions> => ({
  unsubscribe: ({ caller }, { subscriptions: names, principals }) =>
    domain.unsubscribe(caller, names, principals),
  change: ({ caller }, { add, delete: removed }) =>
    domain.changeSubscriptions(caller, add, removed),
  async setProperties({ caller }, { subscriptionData }) {
    await domain.setProperties(caller, subscriptionData);
    return { subscription_data: [...subscriptionData] };
  },
  async muteTopic({ caller }, params) {
    await domain.muteTopic(caller, params);
    return {};
  },
});
