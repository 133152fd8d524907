import { type Own, own } from './own.ts';

const stripe = (type: string, object: object, topic: string, ...says: string[]): Own =>
  own(
    'stripe',
    { type, data: { object: { id: 'x_1', currency: 'usd', customer: 'cus_1', ...object } } },
    topic,
    ...says,
  );
const plain = (
  [
    ['account.updated', 'account', 'account updates'],
    ['checkout.session.completed', 'checkout.session', 'cus_1'],
    ['coupon.created', 'coupon', 'cus_1'],
    ['payment_intent.succeeded', 'payment_intent', 'cus_1'],
    ['payment_link.created', 'payment_link', 'cus_1'],
    ['payment_method.attached', 'payment_method', 'cus_1'],
    ['plan.created', 'plan', 'cus_1'],
    ['price.created', 'price', 'cus_1'],
    ['product.created', 'product', 'cus_1'],
    ['quote.created', 'quote', 'cus_1'],
    ['radar.early_fraud_warning.created', 'radar', 'cus_1'],
    ['refund.created', 'refund', 'refunds'],
    ['subscription_schedule.created', 'subscription_schedule', 'cus_1'],
    ['transfer.created', 'transfer', 'cus_1'],
  ] as const
).map(([type, object, topic]) =>
  stripe(type, { object, amount: 500 }, topic, '5.00 USD', type.split('.').at(-1) ?? ''),
);

const person = { type: 'user', name: 'Ann', email: 'ann@x.test', phone: '12' };
const intercom = (topic: string, item: object, place: string, ...says: string[]): Own =>
  own('intercom', { topic, data: { item } }, place, ...says);
const talk = {
  user: person,
  state: 'open',
  snoozed_until: 1600000000,
  assignee: { name: 'Bob' },
  links: { conversation_web: 'https://i.test/c' },
  conversation_parts: {
    conversation_parts: [{ body: '<p>Look here</p>', author: { name: 'Bob' } }],
  },
  tags_added: { tags: [{ name: 'hot' }] },
};
const talks = (
  [
    ['user.created', 'began'],
    ['user.replied', 'replied in'],
    ['admin.replied', 'replied in'],
    ['admin.single.created', 'began'],
    ['admin.assigned', 'assigned'],
    ['admin.noted', 'left a note in'],
    ['admin.closed', 'closed'],
    ['admin.opened', 'opened'],
    ['admin.snoozed', 'snoozed'],
    ['admin.unsnoozed', 'woke'],
    ['priority.updated', 'changed the priority of'],
  ] as const
).map(([event, what]) =>
  intercom(
    `conversation.${event}`,
    talk,
    'User: Ann',
    `Bob ${what} the conversation with Ann`,
    'Look here',
    'Assignee: Bob',
    'Tags: hot',
  ),
);
const assigned = (item: object, assignee: string): Own =>
  intercom(
    'conversation.admin.assigned',
    { user: person, ...item },
    'User: Ann',
    `Assignee: ${assignee}`,
  );
const assignments = [
  assigned({ admin_assignee_id: 7, teammates: { admins: [{ id: '7', name: 'Cleo' }] } }, 'Cleo'),
  assigned({ admin_assignee_id: 7 }, 'number 7'),
  assigned(
    { conversation_parts: { conversation_parts: [{ assigned_to: { id: '8', name: 'Dora' } }] } },
    'Dora',
  ),
];
const people = (
  [
    ['contact.created', 'was created'],
    ['contact.lead.created', 'was created'],
    ['contact.user.created', 'was created'],
    ['contact.signed_up', 'signed up'],
    ['contact.added_email', 'added an email address'],
    ['user.created', 'was created'],
    ['user.deleted', 'was deleted'],
    ['user.unsubscribed', 'unsubscribed'],
    ['user.email.updated', 'has another email address'],
  ] as const
).map(([topic, what]) => intercom(topic, person, 'User: Ann', `User Ann ${what}`, 'ann@x.test'));
const tags = (['contact', 'user'] as const).flatMap((kind) => [
  intercom(
    `${kind}.tag.created`,
    { tag: { name: 'hot' }, [kind]: person },
    'User: Ann',
    'Tag hot was added to user Ann',
  ),
  intercom(
    `${kind}.tag.deleted`,
    { tag: { name: 'hot' }, [kind]: person },
    'User: Ann',
    'Tag hot was removed from user Ann',
  ),
]);

const meeting = {
  name: 'Ann',
  email: 'ann@x.test',
  scheduled_event: { name: 'Chat', start_time: '2030-01-02T03:04:05.000Z' },
};

export const businessPayloads: readonly Own[] = [
  stripe(
    'charge.succeeded',
    { object: 'charge', amount: 1234, status: 'succeeded' },
    'charges',
    'Charge x_1 over 12.34 USD succeeded',
  ),
  stripe(
    'charge.dispute.created',
    { object: 'dispute', amount: 1200, currency: 'jpy', reason: 'fraudulent', charge: 'ch_1' },
    'disputes',
    'Dispute x_1 over 1200 JPY created',
    'Reason: fraudulent',
    'Charge: ch_1',
  ),
  stripe(
    'invoice.payment_failed',
    { object: 'invoice', number: 'N-1', amount_due: 3000 },
    'cus_1',
    'Invoice N-1 over 30.00 USD payment failed',
    'Customer: cus_1',
  ),
  stripe(
    'invoiceitem.created',
    { object: 'invoiceitem', amount: 100, description: 'Soap' },
    'cus_1',
    'Invoice item x_1 over 1.00 USD created',
    'Soap',
  ),
  stripe(
    'customer.subscription.updated',
    {
      object: 'subscription',
      status: 'active',
      quantity: 2,
      plan: { nickname: 'Gold', amount: 900, currency: 'usd', interval: 'month' },
    },
    'cus_1',
    'Subscription x_1 updated',
    'Plan: Gold',
    'Price: 9.00 USD each month',
    'Quantity: 2',
  ),
  stripe(
    'payout.paid',
    { object: 'payout', amount: 5000 },
    'payouts',
    'Payout x_1 over 50.00 USD paid',
  ),
  ...plain,
  own(
    'stripe',
    {
      type: 'customer.updated',
      data: {
        object: { object: 'customer', id: 'cus_1', email: 'b@x.test' },
        previous_attributes: { email: 'a@x.test' },
      },
    },
    'cus_1',
    'Customer cus_1 updated',
    'Email: b@x.test (was a@x.test)',
  ),
  own('stripe', { type: 'balance.available' }, null),
  ...talks,
  ...assignments,
  intercom('conversation_part.tag.created', talk, 'User: Ann', 'tagged', 'hot'),
  intercom('conversation_part.redacted', talk, 'User: Ann', 'redacted a part of'),
  ...people,
  ...tags,
  intercom(
    'company.created',
    { name: 'Acme', user_count: 2, monthly_spend: 0 },
    'Companies',
    'Company Acme was created',
    'Users: 2',
  ),
  own('intercom', { topic: 'ping' }, 'Intercom', 'Intercom can deliver'),
  own(
    'calendly',
    { event: 'invitee.created', payload: meeting },
    'Chat',
    'Ann arranged Chat',
    'ann@x.test',
  ),
  own(
    'calendly',
    { event: 'invitee.canceled', payload: { ...meeting, cancellation: { reason: 'Ill' } } },
    'Chat',
    'Ann cancelled Chat',
    'Ill',
  ),
  {
    ...own('transifex', {}, 'site in en', 'Resource menu is 40 % translated'),
    query: { project: 'site', language: 'en', resource: 'menu', translated: '40' },
  },
  own(
    'transifex',
    { project: 'site', language: 'en', resource: 'menu', reviewed: '100' },
    'site in en',
    'fully reviewed',
  ),
  own(
    'wordpress',
    { hook: 'publish_post', post_title: 'Soap', post_url: 'https://w.test/1' },
    'post',
    'New post published: Soap',
  ),
  own(
    'wordpress',
    { hook: 'publish_page', post_title: 'Soap', post_url: 'https://w.test/1' },
    'page',
    'New page published: Soap',
  ),
  own(
    'wordpress',
    { hook: 'user_register', display_name: 'Ann', user_email: 'ann@x.test' },
    'user',
    'Ann (ann@x.test)',
  ),
  own('wordpress', { hook: 'wp_login', user_login: 'ann' }, 'login', 'User ann logged in'),
  own(
    'dropbox',
    { list_folder: { accounts: ['dbid:1', 'dbid:2'] } },
    'Dropbox',
    'Files changed in dbid:1 and dbid:2.',
  ),
];
