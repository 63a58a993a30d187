import { clock } from '../../support/clock.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';
import type { Form, Functions } from './form.ts';

const get =
  (path: string, query = '') =>
  (by: Functions, id: string): Promise<ApiAnswer> =>
    by.call(`GET ${path}/${id}`, { query });
const patch =
  (path: string, body: object) =>
  (by: Functions, id: string): Promise<ApiAnswer> =>
    by.call(`PATCH ${path}/${id}`, { body });

/** Creates an object and returns the field of the answer that has its id. */
async function make(by: Functions, path: string, body: object, field = 'id'): Promise<string> {
  const answer = await by.call(`POST ${path}`, { body });
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
  return answer.body[field];
}

const open = (by: Functions, productId: string, fields: object = {}): Promise<string> =>
  make(by, '/checkouts', { product_cart: [{ product_id: productId, quantity: 1 }], ...fields }, 'session_id');

const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };

const pay = (by: Functions, sessionId: string, card: string = cards.good): Promise<ApiAnswer> =>
  by.call(`POST /checkout/${sessionId}/pay`, { key: null, body: { ...buyer, test_card: card.slice(-4) } });

const sell = async (by: Functions, productId: string, card?: string): Promise<string> =>
  (await pay(by, await open(by, productId), card)).body.payment_id;

const sellBook = async (by: Functions, card?: string): Promise<string> => sell(by, await addProduct(by), card);

const refund = (by: Functions, paymentId: string, key = by.adminKey): Promise<ApiAnswer> =>
  by.call('POST /refunds', { key, body: { payment_id: paymentId, amount: 500 } });

async function workLater(by: Functions, minutes: number): Promise<void> {
  clock.forward({ minutes });
  await by.work();
}

const makeLicense = (by: Functions): Promise<string> =>
  make(by, '/entitlements', { name: 'Atlas', integration_type: 'license_key', integration_config: {} });

/** A product that gives a licence key. */
const giving = async (by: Functions): Promise<string> =>
  addProduct(by, { entitlements: [{ entitlement_id: await makeLicense(by) }] });

/** A payment whose buyer has lost it to the bank. */
async function disputed(by: Functions): Promise<string> {
  const paymentId = await sellBook(by, cards.disputeLost);
  for (const _ of [1, 2, 3]) await workLater(by, 24 * 60);
  return (await by.call(`GET /payments/${paymentId}`)).body.disputes[0].dispute_id;
}

/** Makes a discount under an Idempotency-Key, once. */
const repeated = (by: Functions, key: string): Promise<ApiAnswer> =>
  by.call('POST /discounts', {
    body: { type: 'percentage', amount: 1_000 },
    headers: { 'idempotency-key': key },
  });

const sellNothingGiving = 'take such products off sale, and wait for their open payments';

/** What a merchant makes. */
const catalogue: readonly Form[] = [
  {
    what: 'a product',
    rows: ['product'],
    write: (by) => addProduct(by),
    read: get('/products'),
    change: patch('/products', { name: 'Atlas' }),
  },
  {
    what: 'a product with a kind of supply',
    rows: ['product'],
    isNew: true,
    write: (by) => addProduct(by, { supply: 'service' }),
    read: get('/products'),
    change: patch('/products', { name: 'Atlas' }),
    stepBack: 'change no such product, or set its `supply` again after the step forward',
  },
  {
    what: 'a product that gives something',
    rows: ['product', 'entitlement'],
    isNew: true,
    write: giving,
    read: get('/products'),
    change: patch('/products', { name: 'Atlas' }),
    stepBack: `${sellNothingGiving}. One that 0.2.0 changes gives nothing any more, until you set its \`entitlements\` again`,
  },
  {
    what: 'a product with prices by country',
    rows: ['product', 'offer'],
    write: async (by) => {
      const id = await addProduct(by, { pricing_mode: 'by_country' });
      await make(by, `/products/${id}/localized-prices`, { country_code: 'FR', currency: 'EUR', amount: 500 });
      return id;
    },
    read: (by, id) => by.call(`GET /products/${id}/localized-prices`),
    change: async (by, id) => pay(by, await open(by, id)),
  },
  {
    what: 'a brand',
    rows: ['brands'],
    write: (by) => make(by, '/brands', { name: 'Maps', statement_descriptor: 'MAPS' }, 'brand_id'),
    read: get('/brands'),
    change: patch('/brands', { description: 'Maps and guides' }),
    stepBack:
      'it drops these of all brands: set the texts for card statements and the listing by search engines again after the step forward',
  },
  {
    what: 'a brand, when a discount code is made',
    rows: ['brands'],
    write: (by) => make(by, '/brands', { name: 'Maps', statement_descriptor: 'MAPS' }, 'brand_id'),
    read: get('/brands'),
    change: (by) => by.call('POST /discounts', { body: { type: 'percentage', amount: 1_000 } }),
    stepBack: 'the same, and so when one is removed',
  },
  {
    what: 'a discount code',
    rows: ['discount', 'discountCode'],
    write: (by) => make(by, '/discounts', { type: 'percentage', amount: 1_000 }, 'discount_id'),
    read: get('/discounts'),
    change: patch('/discounts', { name: 'Spring' }),
  },
  {
    what: 'a code with a limit, used once',
    rows: [
      'discount',
      'discountUses',
      'discountShard',
      'discountHold',
      'discountNetwork',
      'discountCustomer',
      'discountBuyer',
    ],
    write: async (by) => {
      const terms = { type: 'percentage', amount: 1_000, usage_limit: 3, per_customer_usage_limit: 2 };
      const { body } = await by.call('POST /discounts', { body: terms });
      await pay(by, await open(by, await addProduct(by), { discount_codes: [body.code] }));
      return body.discount_id;
    },
    read: get('/discounts'),
    change: patch('/discounts', { usage_limit: 5 }),
    stepBack:
      'such codes answer 503 and nothing is charged, until the step forward. Its uses are counted where 0.2.0 does not look',
  },
  {
    what: 'a code for chosen customers',
    rows: ['discountGuest', 'firstPurchase'],
    write: async (by) => {
      const id = await make(
        by,
        '/discounts',
        { type: 'percentage', amount: 1_000, customer_eligibility: 'specific' },
        'discount_id',
      );
      const customer = await make(by, '/customers', { email: 'guest@example.com', name: 'Guest' }, 'customer_id');
      await by.call(`POST /discounts/${id}/customers`, { body: { customer_ids: [customer] } });
      return id;
    },
    read: (by, id) => by.call(`GET /discounts/${id}/customers`),
  },
  {
    what: 'a tax registration',
    rows: ['taxRules'],
    write: (by) =>
      make(
        by,
        '/tax/registrations',
        { country: by.version === 'today' ? 'PL' : 'FR', active_from: '2026-01-01' },
        'id',
      ),
    read: (by) => by.call('GET /tax/registrations'),
  },
];

/** What a sale makes. */
const sales: readonly Form[] = [
  {
    what: 'an open checkout',
    rows: ['session'],
    write: async (by) => open(by, await addProduct(by)),
    read: get('/checkouts'),
    change: (by, id) => pay(by, id),
  },
  {
    what: 'an open checkout with something given',
    rows: ['session'],
    isNew: true,
    write: async (by) => open(by, await giving(by)),
    read: get('/checkouts'),
    change: (by, id) => pay(by, id),
    stepBack: `nothing is charged: ${sellNothingGiving}`,
  },
  {
    what: 'the answer under an Idempotency-Key',
    rows: ['idempotency'],
    write: async (by) => {
      const key = crypto.randomUUID();
      await repeated(by, key);
      return key;
    },
    read: repeated,
  },
  {
    what: 'a payment',
    rows: ['payment'],
    write: (by) => sellBook(by),
    read: get('/payments'),
    change: (by, id) => refund(by, id),
  },
  {
    what: 'a payment that failed',
    rows: ['payment'],
    write: (by) => sellBook(by, cards.declined),
    read: get('/payments'),
  },
  {
    what: 'a payment that waits for the bank',
    rows: ['payment'],
    write: (by) => sellBook(by, cards.slowSuccess),
    read: get('/payments'),
    change: async (by, id) => {
      await workLater(by, 10);
      return by.call(`GET /payments/${id}`);
    },
  },
  {
    what: 'a payment for something given',
    rows: ['payment', 'grantDuty', 'grant', 'licenseKey', 'licenseKeyHash'],
    isNew: true,
    write: async (by) => {
      const id = await sell(by, await giving(by));
      await by.work();
      return id;
    },
    read: get('/payments'),
    change: (by, id) => refund(by, id),
  },
  {
    what: 'a payment with a kind of supply',
    rows: ['payment'],
    isNew: true,
    write: async (by) => sell(by, await addProduct(by, { supply: 'service' })),
    read: get('/payments'),
    change: (by, id) => refund(by, id),
    stepBack: 'the right of withdrawal of such a payment is kept from then on',
  },
  {
    what: 'a refund',
    rows: ['refund'],
    write: async (by) => (await refund(by, await sellBook(by))).body.refund_id,
    read: get('/refunds'),
  },
  {
    what: 'a refund that waits',
    rows: ['refund'],
    write: async (by) => (await refund(by, await sellBook(by, cards.slowRefunds))).body.refund_id,
    read: get('/refunds'),
    change: async (by, id) => {
      await workLater(by, 10);
      return by.call(`GET /refunds/${id}`);
    },
  },
  {
    what: 'a dispute that is lost',
    rows: ['dispute'],
    write: disputed,
    read: get('/disputes'),
  },
  {
    what: 'a dispute with a ground',
    rows: ['dispute', 'disputeAdjustment'],
    isNew: true,
    write: async (by) => {
      const id = await disputed(by);
      await by.call(`POST /disputes/${id}/adjustments`, { body: { ground: 'uncollectible' } });
      return id;
    },
    read: get('/disputes'),
    stepBack: 'its news waits for the step forward',
  },
  {
    what: 'an invoice',
    rows: ['document', 'takenNumber', 'documentNumber', 'series', 'documentMail', 'documentLink'],
    write: async (by) => {
      const id = await sellBook(by);
      await by.work();
      return id;
    },
    read: get('/invoices/payments', 'format=json'),
  },
  {
    what: 'a credit note',
    rows: ['document'],
    write: async (by) => {
      const id = (await refund(by, await sellBook(by))).body.refund_id;
      await by.work();
      return id;
    },
    read: get('/invoices/refunds', 'format=json'),
  },
  {
    what: 'a customer',
    rows: ['customer'],
    write: async (by) => (await by.call(`GET /payments/${await sellBook(by)}`)).body.customer.customer_id,
    read: get('/customers'),
    change: patch('/customers', { name: 'Ada' }),
  },
];

/** The cookies of somebody who is signed in to the dashboard. */
const signIn = async (by: Functions): Promise<string> => (await browse(by, by.adminKey)).cookies.join('; ');

const show =
  (page: string) =>
  async (by: Functions, cookies: string): Promise<ApiAnswer> => {
    const answer = await by.call(`GET ${page}`, { cookies: cookies.split('; '), key: null });
    return { ...answer, body: null, status: answer.status < 300 ? 200 : 401 }; // else the page to sign in
  };

/** What programs and people of the merchant see. */
const surroundings: readonly Form[] = [
  {
    what: 'a session of the dashboard',
    rows: ['signIn', 'sessionSecret', 'dashboardSecret'],
    write: signIn,
    read: show('/dashboard/keys'),
  },
  {
    what: 'a page of events of a sale',
    rows: ['event'],
    write: (by) => sellBook(by),
    read: (by, id) => by.call('GET /webhook-events', { query: `payment_id=${id}` }),
  },
  {
    what: 'a page of events with one of a new type',
    rows: ['event'],
    isNew: true,
    write: async (by) => {
      const id = await sell(by, await giving(by));
      await by.work();
      return id;
    },
    read: (by, id) => by.call('GET /webhook-events', { query: `payment_id=${id}` }),
    stepBack:
      'such events wait, and are sent after the step forward. The relay gives up on them, so *Failed relays* rings',
  },
  {
    what: 'a webhook endpoint',
    rows: ['webhook', 'webhookCount', 'webhookHealth'],
    write: (by) => make(by, '/webhooks', { url: 'https://example.com/hook', disabled: true }),
    read: get('/webhooks'),
    change: patch('/webhooks', { description: 'Shop' }),
    stepBack: 'one without a filter that 0.2.0 changes gets the own types of 0.2.0 afterwards: name its types',
  },
  {
    what: 'an API key',
    rows: ['apiKey', 'apiKeyList'],
    write: (by) => make(by, '/api-keys', { name: 'Reader', access: 'read' }),
    read: (by) => by.call('GET /api-keys'),
  },
  {
    what: 'the refunds of a key with a daily limit',
    rows: ['refundAllowance'],
    write: async (by) => {
      const limited = { name: 'Desk', access: 'write', daily_refund_limit: { amount: 900, currency: 'EUR' } };
      const key = await make(by, '/api-keys', limited, 'key');
      const paymentId = await sellBook(by);
      await refund(by, paymentId, key);
      return `${key} ${paymentId}`;
    },
    read: async (by, id) => {
      const [key, paymentId = ''] = id.split(' ');
      const answer = await refund(by, paymentId, key); // 500 and 500 are more than 900
      return { ...answer, body: null, status: answer.body.code === 'REFUND_LIMIT_EXCEEDED' ? 200 : 500 };
    },
  },
  {
    what: 'the audit log',
    rows: ['auditEntry'],
    write: (by) => addProduct(by),
    read: (by) => by.call('GET /audit-log', { query: 'page_size=1' }),
  },
  {
    what: 'the audit log with a new command',
    rows: ['auditEntry'],
    isNew: true,
    write: makeLicense,
    read: (by) => by.call('GET /audit-log', { query: 'page_size=1' }),
    stepBack: 'a page with such an entry cannot be listed; the entries stay',
  },
];

export const forms: readonly Form[] = [...surroundings, ...catalogue, ...sales];
