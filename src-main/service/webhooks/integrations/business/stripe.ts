import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import {
  bold,
  capital,
  code,
  type Labelled,
  link,
  md,
  moment,
  words,
} from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { stripeSignature } from '#service/webhooks/common/signatures.ts';

/** Amounts of these have no smaller unit. */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

function money(amount: number | undefined, currency: string | undefined): string | undefined {
  if (amount === undefined) return undefined;
  const shown = WHOLE.has(currency ?? '') ? String(amount) : (amount / 100).toFixed(2);
  return currency === undefined ? shown : `${shown} ${currency.toUpperCase()}`;
}

/** Where the dashboard shows objects, by what they are. */
const pages: Readonly<Record<string, string>> = {
  account: 'connect/accounts',
  charge: 'payments',
  coupon: 'coupons',
  customer: 'customers',
  dispute: 'disputes',
  invoice: 'invoices',
  invoiceitem: 'invoiceitems',
  payment_intent: 'payments',
  payout: 'payouts',
  plan: 'plans',
  product: 'products',
  refund: 'refunds',
  subscription: 'subscriptions',
};

function pageOf(kind: string, id: string): string | undefined {
  const page = Object.hasOwn(pages, kind) ? pages[kind] : undefined;
  return page === undefined
    ? undefined
    : `https://dashboard.stripe.com/${page}/${encodeURIComponent(id)}`;
}

const titles: Readonly<Record<string, string>> = { invoiceitem: 'invoice item' };
const titleOf = (kind: string): string =>
  capital(Object.hasOwn(titles, kind) ? (titles[kind] ?? kind) : words(kind));

/** What belongs to no customer has a topic of its kind. */
function topicOf(object: Payload, kind: string): string {
  const plain: Readonly<Record<string, string>> = {
    charge: 'charges',
    dispute: 'disputes',
    refund: 'refunds',
    payout: 'payouts',
    account: 'account updates',
    file: 'files',
  };
  if (kind === 'customer') return object.text('id');
  const own = Object.hasOwn(plain, kind) ? plain[kind] : undefined;
  return own ?? object.maybeText('customer') ?? `${words(kind)}s`;
}

const amountOf = (object: Payload): string | undefined =>
  money(
    object.maybeNumber('amount') ?? object.maybeNumber('amount_due') ?? object.maybeNumber('total'),
    object.maybeText('currency'),
  );

function plan(object: Payload): readonly Labelled[] {
  const found = object.maybeObject('plan') ?? object.maybeObject('items.data.0.plan');
  if (found === undefined) return [];
  const price = money(found.maybeNumber('amount'), found.maybeText('currency'));
  return [
    ['Plan', found.maybeText('nickname') ?? found.maybeText('name') ?? found.maybeText('id')],
    ['Price', md`${price ?? 'unknown'} each ${found.maybeText('interval') ?? 'time'}`],
  ];
}

/** What people look at; the rest of what changes is addresses, ids and times. */
const CHANGES = new Set(
  'amount cancel_at_period_end currency description email name number quantity status total'.split(
    ' ',
  ),
);

/** What a change was before: single values only. */
function changes(p: Payload): readonly Labelled[] {
  const before = p.maybeObject('data.previous_attributes');
  if (before === undefined) return [];
  return before
    .keys('')
    .filter((key) => CHANGES.has(key) && typeof before.raw(key) !== 'object')
    .map((key): Labelled => {
      const after = p.raw(`data.object.${key}`);
      const isShown = ['string', 'number', 'boolean'].includes(typeof after);
      const shown = isShown ? p.scalar(`data.object.${key}`) : 'none';
      return [capital(words(key)), md`${shown} (was ${before.maybeScalar(key) ?? 'none'})`];
    });
}

function write(p: Payload): Message {
  const object = p.object('data.object');
  const kind = object.text('object');
  const id = object.maybeText('id') ?? kind;
  const url = object.maybeText('hosted_invoice_url') ?? pageOf(kind, id);
  const amount = amountOf(object);
  const verb = words(p.text('type').split('.').at(-1) ?? '');
  const before = p.has('data.previous_attributes') ? p.keys('data.previous_attributes') : [];
  // What changed is told below, with what it was.
  const ifSame = <T>(key: string, value: T): T | undefined =>
    before.includes(key) ? undefined : value;
  const charge = object.maybeText('charge');
  const customer = object.maybeText('customer');
  return note({
    topic: topicOf(object, kind),
    line: md`${titleOf(kind)} ${link(object.maybeText('number') ?? id, url)}${amount === undefined ? '' : md` over ${bold(amount)}`} ${verb}`,
    values: [
      [
        'Customer',
        customer === undefined ? undefined : link(customer, pageOf('customer', customer)),
      ],
      ['Name', ifSame('name', object.maybeText(kind === 'customer' ? 'name' : 'customer_name'))],
      ['Email', object.maybeText('email') ?? object.maybeText('customer_email')],
      ['Status', ifSame('status', object.maybeText('status'))],
      ...plan(object),
      ['Quantity', ifSame('quantity', object.maybeNumber('quantity'))],
      ['Charge', charge === undefined ? undefined : link(code(charge), pageOf('charge', charge))],
      ['Description', ifSame('description', object.maybeText('description'))],
      ['Reason', object.maybeText('reason') ?? object.maybeText('failure_message')],
      ['Trial ends', moment(object.maybeNumber('trial_end'))],
      ['Due', moment(object.maybeNumber('due_date'))],
      ...changes(p),
    ],
  });
}

const patterns = [
  'account.*',
  'charge.*',
  'checkout.session.*',
  'coupon.*',
  'customer.*',
  'invoice.*',
  'invoiceitem.*',
  'payment_intent.*',
  'payment_link.*',
  'payment_method.*',
  'payout.*',
  'plan.*',
  'price.*',
  'product.*',
  'quote.*',
  'radar.*',
  'refund.*',
  'subscription_schedule.*',
  'transfer.*',
];

export const stripe: Declaration = {
  name: 'stripe',
  title: 'Stripe',
  about: 'Charges, invoices, subscriptions, payouts, disputes and refunds.',
  subject: 'business',
  steps: [
    'Open Stripe, then Developers → Webhooks → Add endpoint.',
    'Paste the address into Endpoint URL and choose the events.',
    'If you want deliveries verified, give the signing secret that Stripe shows to this integration here.',
    'Press Send test event.',
  ],
  event: { key: 'type', read: (p) => p.text('type') },
  events: Object.fromEntries(patterns.map((pattern) => [pattern, write])),
  silent: [
    'balance.*',
    'capability.*',
    'file.*',
    'issuing*',
    'person.*',
    'reporting.*',
    'setup_intent.*',
    'sigma.*',
    'tax*',
    'topup.*',
  ],
  signature: stripeSignature,
};
