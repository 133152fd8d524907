import type { FactTable } from './facts.ts';

const lead = ['Eeshan Garg'];
const conversation = 'data.item.links.conversation_web';

export const businessFacts: FactTable = {
  'stripe/customer_created.json': {
    topic: 'cus_00000000000000',
    says: ['Customer', 'created'],
    links: ['https://dashboard.stripe.com/customers/cus_00000000000000'],
  },
  'stripe/customer_created_email.json': {
    topic: 'cus_00000000000000',
    says: ['created', 'example@abc.com'],
  },
  'stripe/customer_subscription_created_no_nickname.json': {
    topic: 'cus_00000000000000',
    says: ['Subscription', 'created', 'plan_E6SQ6RAtmLVtzg', '800', 'active', '1.00 USD', 'year'],
    links: ['https://dashboard.stripe.com/subscriptions/sub_E6STM5w5EX3K28'],
  },
  'stripe/customer_subscription_deleted.json': {
    says: ['Subscription', 'deleted'],
    of: ['data.object.customer', 'data.object.status'],
  },
  'stripe/customer_subscription_trial_will_end.json': {
    says: ['Subscription', 'trial will end'],
    of: ['data.object.customer'],
  },
  'stripe/pseudo_refund_event.json': {
    topic: 'refunds',
    says: ['Refund', '12.34 EUR', 'succeeded', 'py_abcde12345ABCDG'],
  },
  'stripe/account_updated_without_previous_attributes.json': {
    topic: 'account updates',
    says: ['Account', 'updated', 'test@stripe.com'],
  },
  'stripe/invoice_updated__open.json': {
    topic: 'cus_FDmT2sIGjFskP2',
    says: ['Invoice', 'updated', '30.00 USD', 'open', 'draft', 'B7C8CA7D-0001'],
    links: ['data.object.hosted_invoice_url'],
  },
  'stripe/invoiceitem_updated__description.json': {
    topic: 'cus_FDmT2sIGjFskP2',
    says: ['Invoice item', 'updated', 'Watermelons'],
  },
  'stripe/invoiceitem_updated__quantity.json': {
    topic: 'cus_FDmT2sIGjFskP2',
    says: ['Invoice item', 'updated', 'Quantity: 0 (was 1)'],
  },
  'intercom/company_created.json': {
    topic: 'Companies',
    says: ['Kandra Labs', 'created', '1'],
  },
  'intercom/contact_added_email.json': {
    topic: 'Contact: jerryguitarist@gmail.com',
    says: ['added', 'jerryguitarist@gmail.com'],
  },
  'intercom/contact_signed_up.json': { says: ['signed up', 'iago@zulip.com'] },
  'intercom/contact_tag_created.json': { says: ['developer', 'Eeshan Garg'] },
  'intercom/conversation_admin_closed.json': {
    topic: 'Lead: Eeshan Garg',
    says: [...lead, 'closed'],
    links: [conversation],
  },
  'intercom/conversation_admin_snoozed.json': {
    topic: 'Lead: Eeshan Garg',
    says: [...lead, 'snoozed', '2019-03-25'],
    links: [conversation],
  },
  'intercom/conversation_admin_noted.json': {
    topic: 'Lead: Eeshan Garg',
    says: [...lead, 'note', "Talk to Tim about this user's query."],
    links: [conversation],
  },
  'intercom/conversation_part_tag_created.json': {
    topic: 'Lead: Eeshan Garg',
    says: [...lead, 'developer'],
    links: [conversation],
  },
  'intercom/user_email_updated.json': { says: ['email', 'aaron@zulip.com'] },
  'intercom/user_unsubscribed.json': { topic: 'Contact: Eeshan Garg', says: ['unsubscribed'] },
};
