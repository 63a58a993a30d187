import DodoPayments from 'dodopayments';
import type { CheckoutSessionCreateParams } from 'dodopayments/resources/checkout-sessions';
import type { Currency } from 'dodopayments/resources/misc';
import type { ProductCreateParams } from 'dodopayments/resources/products/products';
import type { Refund, RefundCreateParams } from 'dodopayments/resources/refunds';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from '../../infra/local/demo/receiver.ts';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';
import { formatApiKey } from '../../shared/http/api-key.ts';
import { clock } from '../support/clock.ts';
import { campaign } from '../support/seeded.ts';
import { addKey } from '../support/shop/api.ts';
import { cards } from '../support/shop/cards.ts';
import { type BuyerForm, openCheckout } from '../support/shop/checkout-page.ts';
import { pay as payInProcess } from '../support/shop/shop.ts';
import { shortenTimers } from '../support/short-pauses.ts';
import { dialect, missingKeys } from '../support/wire/dialect.ts';

let sandbox: Sandbox;
let receiver: Receiver;
let client: DodoPayments;

/** What the client has sent, in order. */
const sent: string[] = [];

async function network(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  sent.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
  return fetch(input, init);
}

const clientWith = (options: Partial<ConstructorParameters<typeof DodoPayments>[0]> = {}) =>
  new DodoPayments({ baseURL: sandbox.url, bearerToken: localKey, maxRetries: 0, fetch: network, ...options });

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 0.25 });
  await seedLocalKey(sandbox.table);
  receiver = await startReceiver();
  client = clientWith();
});
afterEach(() => {
  clock.run();
  vi.useRealTimers();
});
afterAll(async () => {
  await receiver.stop();
  await sandbox.stop();
});

const price = (amount: number, fields: object = {}) => ({
  type: 'one_time_price' as const,
  currency: 'EUR' as Currency,
  price: amount,
  discount: 0,
  purchasing_power_parity: false,
  ...fields,
});
const guide = (fields: object = {}) =>
  ({
    name: 'Field Guide',
    description: 'Birds of the northern forests.',
    price: price(1_190, { tax_inclusive: true }),
    tax_category: 'saas',
    ...fields,
  }) as ProductCreateParams;
const tip = (limits: object = {}, fields: object = {}) =>
  guide({ price: price(500, { pay_what_you_want: true, tax_inclusive: true, ...limits }), ...fields });

const sell = async (product: ProductCreateParams = guide()) => (await client.products.create(product)).product_id;
const line = (productId: string, fields: object = {}) => ({ product_id: productId, quantity: 1, ...fields });
const open = (cart: object[], fields: object = {}) =>
  client.checkoutSessions.create({ product_cart: cart, ...fields } as CheckoutSessionCreateParams);

/** Buys through the hosted page; answers with the payment. */
async function buy(cart: object[], buyer: Partial<BuyerForm> = {}) {
  const session = await open(cart);
  const page = await openCheckout(session.checkout_url ?? '', { card: cards.good, ...buyer });
  const response = await page.pay();
  const { payment_id: paymentId } = await client.checkoutSessions.retrieve(session.session_id);
  return { response, session, payment: await client.payments.retrieve(paymentId ?? '') };
}
const buyGuide = async (buyer: Partial<BuyerForm> = {}) => buy([line(await sell())], buyer);

const refund = (paymentId: string, fields: object = {}, options: object = {}) =>
  client.refunds.create({ payment_id: paymentId, ...fields } as RefundCreateParams, options);

/** The status and code with which a call is refused. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof DodoPayments.APIError)) throw error;
    const problem = error.error as { code: string; message: string };
    expect(error.message).toBe(`${error.status} ${problem.message}`);
    return `${error.status} ${problem.code}`;
  }
  return 'accepted';
}

describe('products', () => {
  it('answer tax_inclusive in the price and in the product, and accept it in either of the two', async () => {
    const nested = await client.products.create(guide());
    const top = await client.products.create(guide({ price: price(1_190), tax_inclusive: true }));
    for (const product of [nested, top]) {
      expect(product.product_id).toMatch(/^pdt_[A-Za-z0-9]{21}$/);
      expect(missingKeys(product, dialect.product)).toEqual([]);
      expect(missingKeys(product.price, dialect.price)).toEqual([]);
      expect(product).toMatchObject({
        tax_inclusive: true,
        price: { price: 1_190, currency: 'EUR', tax_inclusive: true },
      });
    }
    const both = client.products.create(guide({ tax_inclusive: false }));
    await expect(refusalOf(both)).resolves.toBe('422 INVALID_REQUEST_PARAMETERS');
  });

  it('can let buyers choose a price, and are refused with contradictory limits', async () => {
    const { price: kept } = await client.products.create(tip({ suggested_price: 1_500 }));
    expect(kept).toMatchObject({ price: 500, pay_what_you_want: true, suggested_price: 1_500 });
    const low = client.products.create(tip({ suggested_price: 100 }));
    await expect(refusalOf(low)).resolves.toBe('422 INVALID_SUGGESTED_PRICE');
    const narrow = client.products.create(tip({ suggested_price: 1_500, maximum_price: 1_000 }));
    await expect(refusalOf(narrow)).resolves.toBe('422 INVALID_MAXIMUM_PRICE');
    const silent = client.products.create(guide({ description: undefined }));
    await expect(refusalOf(silent)).resolves.toBe('422 INVALID_REQUEST_BODY');
  });

  it('get localized prices, and a session opens in the currency of such a price', async () => {
    const { product_id } = await client.products.create(guide({ pricing_mode: 'by_currency' }));
    const prices = client.products.localizedPrices;
    const made = await prices.create(product_id, { amount: 2_500, currency: 'USD' });
    expect(made).toMatchObject({ product_id, mode: 'by_currency', amount: 2_500, currency: 'USD', country_code: null });
    expect(await prices.retrieve(made.id, { product_id })).toEqual(made);
    const changed = await prices.update(made.id, { product_id, amount: 2_400 });
    expect((await prices.list(product_id)).items).toEqual([changed]);
    const cart = [{ product_id, quantity: 1 }];
    const inDollars = { product_cart: cart, billing_currency: 'USD' as const };
    expect(await client.checkoutSessions.preview(inDollars)).toMatchObject({ currency: 'USD', total_price: 2_400 });
    const again = prices.create(product_id, { amount: 2_500, currency: 'USD' });
    await expect(refusalOf(again)).resolves.toBe('409 LOCALIZED_PRICE_ALREADY_EXISTS');
    await prices.archive(made.id, { product_id });
    expect((await prices.list(product_id)).items).toEqual([]);
    await expect(refusalOf(client.checkoutSessions.preview(inDollars))).resolves.toBe('422 INVALID_REQUEST_PARAMETERS');
  });

  it('are answered in full after an update, which changes only the named fields', async () => {
    const id = await sell();
    const updated = (await client.products.update(id, { price: price(2_380) })) as unknown as object;
    expect(missingKeys(updated, dialect.product)).toEqual([]);
    expect(await client.products.retrieve(id)).toMatchObject({
      price: { price: 2_380, tax_inclusive: true },
      name: 'Field Guide',
    });
    await client.patch(`/products/${id}`, { body: { tax_inclusive: false } });
    expect(await client.products.retrieve(id)).toMatchObject({
      tax_inclusive: false,
      price: { price: 2_380, tax_inclusive: false },
    });
  });

  it('are each listed once, can be archived, and can be unarchived', async () => {
    const ids = new Set<string>();
    for (let index = 0; index < 5; index += 1) ids.add(await sell());
    const seen: string[] = [];
    for await (const item of client.products.list({ page_size: 2 })) {
      expect(missingKeys(item, dialect.productItem)).toEqual([]);
      seen.push(item.product_id);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining([...ids]));
    const [id = ''] = ids;
    await client.products.archive(id);
    await expect(refusalOf(client.products.archive(id))).resolves.toBe('410 PRODUCT_IS_DELETED');
    expect((await client.products.retrieve(id)).product_id).toBe(id);
    const archived: string[] = [];
    for await (const item of client.products.list({ archived: true })) archived.push(item.product_id);
    expect(archived).toEqual([id]);
    await client.products.unarchive(id);
    await expect(client.products.archive(id)).resolves.toEqual({});
  });
});

describe('checkout sessions', () => {
  it('are created by POST on the main route and on its alias', async () => {
    const body = { product_cart: [line(await sell())] };
    const byAlias = await client.checkoutSessions.create(body);
    const byRoute = await client.checkoutSessions.create(body, { path: '/checkout-sessions/create' });
    expect(sent.slice(-2)).toEqual(['POST /checkouts', 'POST /checkout-sessions/create']);
    for (const session of [byAlias, byRoute]) {
      expect(missingKeys(session, dialect.sessionCreated)).toEqual([]);
      expect(session.session_id).toMatch(/^cks_[A-Za-z0-9]{21}$/);
      expect(session.checkout_url).toBe(`${sandbox.url}/checkout/${session.session_id}`);
    }
  });

  it('refuse a wrong amount for a product whose price the buyer chooses, and ignore an amount for a fixed price', async () => {
    const [fixed, chosen] = [await sell(), await sell(tip())];
    await expect(refusalOf(open([line(chosen, { amount: 499 })]))).resolves.toBe('422 REQUEST_AMOUNT_BELOW_MINIMUM');
    await expect(refusalOf(open([line(chosen, { amount: 500 })]))).resolves.toBe('accepted');
    await expect(refusalOf(open([line(chosen)]))).resolves.toBe('accepted');
    await expect(refusalOf(open([line(fixed), line(fixed)]))).resolves.toBe('422 INVALID_REQUEST_PARAMETERS');
    await expect(refusalOf(open([]))).resolves.toBe('422 PRODUCT_CART_EMPTY');
    const { payment } = await buy([line(fixed, { amount: 1 })]);
    expect(payment.total_amount).toBe(1_190);
  });

  it('preview the same tax-inclusive total in every country, while the tax in it differs', async () => {
    const cart = [line(await sell())];
    const preview = (country: string, fields: object = {}, address: object = {}) =>
      client.checkoutSessions.preview({
        product_cart: cart,
        billing_address: { country, ...address },
        ...fields,
      } as CheckoutSessionCreateParams);
    const taxes: number[] = [];
    for (const shown of [await preview('DE'), await preview('GB'), await preview('US', {}, { state: 'OR' })]) {
      expect(missingKeys(shown, dialect.preview)).toEqual([]);
      expect(missingKeys(shown.product_cart[0] ?? {}, dialect.previewLine)).toEqual([]);
      const {
        subtotal,
        tax,
        total_amount: total,
      } = shown.current_breakup as { subtotal: number; tax: number; total_amount: number };
      expect({ total, sum: subtotal + tax }).toEqual({ total: 1_190, sum: 1_190 });
      taxes.push(tax);
    }
    expect(taxes).toEqual([190, 198, 0]); // 19 %, 20 % (1190 × 20 / 120 = 198.3), none in Oregon
    const business = await preview('AT', { tax_id: 'ATU33864707' });
    expect(business).toMatchObject({ total_price: 1_190, total_tax: 0, tax_id_err_msg: null });
  });

  it.each([
    ['good', 'succeeded', 303],
    ['failingRefunds', 'succeeded', 303],
    ['declined', 'failed', 422],
    ['insufficientFunds', 'failed', 422],
    ['processingError', 'failed', 422],
  ] as const)('show no payment until the buyer pays, then the result of card %s', async (card, outcome, status) => {
    const session = await open([line(await sell())]);
    const before = await client.checkoutSessions.retrieve(session.session_id);
    expect(missingKeys(before, dialect.session)).toEqual([]);
    expect(before).toMatchObject({ id: session.session_id, payment_id: null, payment_status: null });
    const page = await openCheckout(session.checkout_url ?? '', { card: cards[card] });
    expect((await page.pay()).status).toBe(status);
    const after = await client.checkoutSessions.retrieve(session.session_id);
    expect(after.payment_status).toBe(outcome);
    expect((await client.payments.retrieve(after.payment_id ?? '')).status).toBe(outcome);
  });

  it.each([
    ['slowSuccess', 'succeeded'],
    ['slowDecline', 'failed'],
  ] as const)('show a payment with card %s first as processing, then as %s', async (card, outcome) => {
    const { payment, session } = await buyGuide({ card: cards[card] });
    expect(payment.status).toBe('processing');
    clock.forward({ minutes: 1 });
    await vi.waitFor(
      async () => expect((await client.checkoutSessions.retrieve(session.session_id)).payment_status).toBe(outcome),
      { timeout: 60_000, interval: 50 },
    );
    expect((await client.payments.retrieve(payment.payment_id)).status).toBe(outcome);
  });

  it('are paid once: submitting the page a second time leads to the receipt', async () => {
    const session = await open([line(await sell())]);
    const [one, other] = [
      await openCheckout(session.checkout_url ?? '', { card: cards.good }),
      await openCheckout(session.checkout_url ?? '', { card: cards.good }),
    ];
    await one.pay();
    const late = await other.pay();
    expect({ status: late.status, location: late.headers.get('location') }).toEqual({
      status: 303,
      location: `/checkout/${session.session_id}?lang=en`,
    });
    const { customer, created_at: at } = await client.payments.retrieve(
      (await client.checkoutSessions.retrieve(session.session_id)).payment_id ?? '',
    );
    const paid = await client.payments.list({ customer_id: customer.customer_id, created_at_gte: at });
    expect(paid.items).toHaveLength(1);
  });

  it('cannot be paid after they expire, but can still be read', async () => {
    const session = await open([line(await sell())]);
    const page = await openCheckout(session.checkout_url ?? '', { card: cards.good });
    clock.forward({ hours: 24 });
    await page.pay();
    expect((await fetch(session.checkout_url ?? '')).status).toBe(410);
    expect(await client.checkoutSessions.retrieve(session.session_id)).toMatchObject({
      payment_id: null,
      status: 'expired',
    });
  });
});

describe('payments', () => {
  /** Payments of one buyer, so that nothing of the other tests is among them: 25, a third of them failed. */
  const email = 'reader@example.com';
  let productId: string;
  let customerId: string;
  const paid: string[] = [];

  beforeAll(async () => {
    productId = await sell();
    for (let count = 0; count < 25; count += 1) {
      const { session_id: id } = await open([line(productId)]);
      const payment = await payInProcess(id, {
        expectedTotal: 1_190,
        email,
        card: count % 3 ? cards.good : cards.declined,
      });
      paid.unshift(payment.id);
      customerId = payment.customer.id;
    }
  });

  /** A page as JSON, because the client's page objects leave out `has_more` and `next_cursor`. */
  const pageOf = (query: object) =>
    client.get<{ items: { payment_id: string }[]; has_more: boolean; next_cursor: string | null }>('/payments', {
      query,
    });
  const idsOf = (items: { payment_id: string }[]) => items.map(({ payment_id }) => payment_id);

  it('are filtered by status, currency, product, customer and time, and listed newest first', async () => {
    const page = await client.payments.list({ product_id: productId, page_size: 100 });
    expect(idsOf(page.items)).toEqual(paid);
    for (const item of page.items) expect(missingKeys(item, dialect.paymentItem)).toEqual([]);
    expect(await pageOf({ product_id: productId, page_size: 100 })).toMatchObject({
      has_more: false,
      next_cursor: null,
    });
    const failed = await client.payments.list({
      customer_id: customerId,
      status: 'failed',
      currency: 'EUR',
      page_size: 100,
    });
    expect(idsOf(failed.items)).toEqual(paid.filter((_, index) => (24 - index) % 3 === 0));
    expect((await client.payments.list({ customer_id: customerId, currency: 'USD' })).items).toEqual([]);
    expect((await client.payments.list({ customer_id: customerId, status: 'cancelled' })).items).toEqual([]);
    const [newest, oldest] = [page.items[3]?.created_at ?? '', page.items[7]?.created_at ?? ''];
    const between = await client.payments.list({
      product_id: productId,
      created_at_gte: oldest,
      created_at_lte: newest,
    });
    expect(idsOf(between.items)).toEqual(paid.slice(3, 8));
    expect(await pageOf({ product_id: productId, page_size: 5 })).toMatchObject({
      has_more: true,
      next_cursor: expect.any(String),
    });
  });

  it('each appear on exactly one of three pages, with the client’s iterator and with cursors', async () => {
    const iterated: string[] = [];
    for await (const { payment_id } of client.payments.list({ customer_id: customerId })) iterated.push(payment_id);
    expect(iterated).toEqual(paid);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { customer_id: customerId, page_size: 10, ...(cursor && { cursor }) };
      const page = await pageOf(query);
      walked.push(...idsOf(page.items));
      cursor = page.next_cursor;
    }
    expect(walked).toEqual(paid);
    await expect(refusalOf(client.payments.list({ page_number: 0 }).then())).resolves.toBe('422 INVALID_QUERY_PARAMS');
    await expect(client.payments.list({ page_number: 1_001 })).rejects.toThrow(/cursor/);
  });

  it('have every documented field, and their lines add up to their totals', async () => {
    const [shirt, book] = [await sell(), await sell(guide({ price: price(2_000), tax_category: 'e_book' }))];
    const { payment } = await buy([line(shirt, { quantity: 2 }), line(book)]);
    expect(missingKeys(payment, dialect.payment)).toEqual([]);
    expect(missingKeys(payment.customer, dialect.customer)).toEqual([]);
    expect(missingKeys(payment.billing, dialect.billing)).toEqual([]);
    expect(payment.payment_id).toMatch(/^pay_/);
    const { currency, items } = await client.payments.retrieveLineItems(payment.payment_id);
    expect(currency).toBe('EUR');
    for (const item of items) expect(missingKeys(item, dialect.lineItem)).toEqual([]);
    const sum = (part: 'amount' | 'tax') => items.reduce((total, item) => total + item[part], 0);
    // 2 × 11.90 with 19 % inside, 20.00 + 7 %: 23.80 + 21.40; 3.80 + 1.40
    expect({ amount: sum('amount'), tax: sum('tax') }).toEqual({ amount: 4_520, tax: 520 });
    expect(payment).toMatchObject({ total_amount: 4_520, tax: 520, payment_provider: 'dodo' });
  });
});

describe('refunds', () => {
  it('of a whole payment happen once; a second request is refused and tells the client not to retry', async () => {
    const patient = clientWith({ maxRetries: 2 });
    const again = async (id: string) => {
      sent.length = 0;
      const refusal = await refusalOf(patient.refunds.create({ payment_id: id }));
      return { refusal, requests: sent.length };
    };
    const { payment } = await buyGuide();
    const whole = await refund(payment.payment_id);
    expect(whole).toMatchObject({ amount: 1_190, is_partial: false, status: 'succeeded' });
    expect(whole.refund_id).toMatch(/^ref_/);
    expect(await again(payment.payment_id)).toEqual({ refusal: '422 PAYMENT_ALREADY_REFUNDED', requests: 1 });
    const { payment: slow } = await buyGuide({ card: cards.pendingRefunds });
    expect((await refund(slow.payment_id)).status).toBe('pending');
    expect(await again(slow.payment_id)).toEqual({ refusal: '422 NOTHING_TO_REFUND', requests: 1 });
  });

  it('of lines read an amount as gross or net by the tax_inclusive flag of the line, or else of the body', async () => {
    const product = await sell();
    const ofLine = async (item: object, fields: object = {}) => {
      const { payment } = await buy([line(product)]);
      const { amount } = await refund(payment.payment_id, { items: [{ item_id: product, ...item }], ...fields });
      return amount;
    };
    expect(await ofLine({ amount: 595, tax_inclusive: true })).toBe(595);
    expect(await ofLine({ amount: 500, tax_inclusive: false })).toBe(595); // 5.00 + 19 %
    expect(await ofLine({ amount: 595 })).toBe(595);
    expect(await ofLine({ amount: 500 }, { tax_inclusive: false })).toBe(595);
    expect(await ofLine({})).toBe(1_190);
    expect(await ofLine({ amount: null, tax_inclusive: false })).toBe(1_190);
  });

  it('of an amount are spread over the lines, and refused when the amount is too large', async () => {
    const { payment } = await buyGuide();
    const [item] = (await client.payments.retrieveLineItems(payment.payment_id)).items;
    const id = payment.payment_id;
    const lineOf = (fields: object) => ({ items: [{ item_id: item?.items_id, ...fields }] });
    expect(await refund(id, { amount: 119 })).toMatchObject({ amount: 119, tax: 19 });
    for (const [fields, code] of [
      [{ amount: 1_072 }, 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT'],
      [lineOf({ amount: 1_072 }), 'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH'],
      [{ items: [...lineOf({}).items, ...lineOf({}).items] }, 'DUPLICATE_LINE_ITEMS_IN_REQUEST'],
      [{ items: [{ item_id: 'pdt_unknown' }] }, 'LINE_ITEM_NOT_FOUND'],
      [{ amount: 1, ...lineOf({}) }, 'INVALID_REQUEST_PARAMETERS'],
    ] as const)
      await expect(refusalOf(refund(id, fields))).resolves.toBe(`422 ${code}`);
  });

  it('of parts that are requested at the same time never exceed what was paid', async () => {
    const { payment } = await buyGuide();
    const patient = clientWith({ maxRetries: 2 });
    const parts = Array.from({ length: 12 }, (_, part) =>
      patient.refunds
        .create({ payment_id: payment.payment_id, amount: 300, metadata: { part } } as RefundCreateParams)
        .then(
          ({ amount }) => amount ?? 0,
          () => 0,
        ),
    );
    const returned = (await Promise.all(parts)).reduce((sum, amount) => sum + amount, 0);
    expect(returned).toBeLessThanOrEqual(1_190);
    const now = (await client.payments.retrieve(payment.payment_id)) as unknown as { refundable_amount: number };
    expect(now.refundable_amount).toBe(1_190 - returned);
  });

  it('can be read and listed, and make their payment first partially, then fully refunded', async () => {
    const { payment } = await buyGuide({ email: 'returner@example.com' });
    const id = payment.payment_id;
    const first = await refund(id, { amount: 190, reason: 'Torn page' });
    expect(missingKeys(await client.refunds.retrieve(first.refund_id), dialect.refund)).toEqual([]);
    expect((await client.payments.retrieve(id)).refund_status).toBe('partial');
    const rest = await refund(id);
    const whole = await client.payments.retrieve(id);
    expect(whole.refund_status).toBe('full');
    for (const item of whole.refunds) expect(missingKeys(item, dialect.refundItem)).toEqual([]);
    const listed = await client.refunds.list({ status: 'succeeded', customer_id: payment.customer.customer_id });
    expect(listed.items.map(({ refund_id }) => refund_id)).toEqual([rest.refund_id, first.refund_id]);
    for (const item of listed.items) expect(missingKeys(item, dialect.refundItem)).toEqual([]);
    expect((await client.refunds.list({ status: 'review' })).items).toEqual([]);
  });

  it('that fail make their amount refundable again', async () => {
    const { payment } = await buyGuide({ card: cards.failingRefunds });
    const { refund_id: refundId, status } = await refund(payment.payment_id);
    expect(status).toBe('pending');
    clock.forward({ minutes: 1 });
    await vi.waitFor(async () => expect((await client.refunds.retrieve(refundId)).status).toBe('failed'), {
      timeout: 60_000,
      interval: 50,
    });
    expect((await client.payments.retrieve(payment.payment_id)).refund_status).toBeNull();
    expect((await refund(payment.payment_id)).amount).toBe(1_190);
  });
});

describe('webhooks', () => {
  const endpoint = (fields: object = {}) =>
    client.webhooks.create({ url: receiver.url, description: 'A shop', ...fields });
  const removeAll = async () => {
    const ids: string[] = [];
    for await (const { id } of client.webhooks.list()) ids.push(id);
    for (const id of ids) await client.webhooks.delete(id);
  };
  afterEach(removeAll);

  it('can be created, listed, read, changed and deleted as endpoints', async () => {
    const created = await endpoint({
      filter_types: ['payment.succeeded', 'subscription.active'],
      metadata: { shop: 'main' },
    });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^whk_[A-Za-z0-9]{21}$/),
      url: receiver.url,
      description: 'A shop',
      disabled: false,
      filter_types: ['payment.succeeded', 'subscription.active'],
      metadata: { shop: 'main' },
      rate_limit: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await client.webhooks.retrieve(created.id)).toEqual(created);
    const page = await client.get<object>('/webhooks');
    expect(page).toEqual({ data: [created], iterator: null, prev_iterator: null, done: true });
    expect(await client.webhooks.update(created.id, { description: 'Another shop', disabled: true })).toMatchObject({
      id: created.id,
      description: 'Another shop',
      disabled: true,
    });
    const { secret } = await client.webhooks.retrieveSecret(created.id);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await client.webhooks.headers.update(created.id, { headers: { 'x-shop': 'main' } });
    expect(await client.webhooks.headers.retrieve(created.id)).toMatchObject({
      headers: { 'x-shop': 'main' },
      sensitive: expect.any(Array),
    });
    await client.webhooks.delete(created.id);
    await expect(refusalOf(client.webhooks.retrieve(created.id))).resolves.toBe('404 NOT_FOUND');
  });

  it('have at most twenty endpoints, and the client’s iterator finds them all', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push((await endpoint()).id);
    await expect(refusalOf(endpoint())).resolves.toBe('422 INVALID_REQUEST_PARAMETERS');
    const iterated: string[] = [];
    for await (const { id } of client.webhooks.list({ limit: 6 })) iterated.push(id);
    expect([...iterated].sort()).toEqual([...ids].sort());
  });

  it('arrive signed, with the same body that GET answers, and pass the client’s verification', async () => {
    const { id } = await endpoint({ filter_types: ['payment.succeeded', 'refund.succeeded'] });
    const { secret } = await client.webhooks.retrieveSecret(id);
    receiver.setSecret(secret);
    const { payment } = await buyGuide();
    const about = (type: string, paymentId: string) => (delivery: { type: string; body: string }) =>
      delivery.type === type && delivery.body.includes(paymentId);
    const paid = await receiver.waitFor(about('payment.succeeded', payment.payment_id), 60_000);
    const headers = paid.headers as Record<string, string>;
    const event = client.webhooks.unwrap(paid.body, { headers, key: secret });
    expect(event).toMatchObject({
      type: 'payment.succeeded',
      business_id: payment.business_id,
      data: { payload_type: 'Payment' },
    });
    const { payload_type: _, ...frozen } = event.data as unknown as Record<string, unknown>;
    // a webhook never carries the link of the order, which gives what was bought, nor how the right and the mail stand
    const { order_url: _link, withdrawal: _right, confirmation: _mail, ...told } = JSON.parse(JSON.stringify(payment));
    expect(frozen).toEqual(told);
    expect(headers['webhook-id']).toMatch(/^evt_[A-Za-z0-9]{21}$/);

    const { refund_id: refundId } = await refund(payment.payment_id);
    const returned = await receiver.waitFor(about('refund.succeeded', payment.payment_id), 60_000);
    const refunded = client.webhooks.unwrap(returned.body, {
      headers: returned.headers as Record<string, string>,
      key: secret,
    });
    expect(refunded).toMatchObject({ type: 'refund.succeeded', data: { refund_id: refundId, payload_type: 'Refund' } });

    const open = (body: string) => () => client.webhooks.unwrap(body, { headers, key: secret });
    expect(open(paid.body.replace('"total_amount":1190', '"total_amount":1191'))).toThrow(
      'No matching signature found',
    );
    const sentAt = Number(headers['webhook-timestamp']) * 1_000;
    vi.useFakeTimers({ toFake: ['Date'], now: sentAt + 299_000 });
    expect(open(paid.body)).not.toThrow();
    vi.setSystemTime(sentAt + 301_000);
    expect(open(paid.body)).toThrow('Message timestamp too old');
  });

  it('are signed with the old and the new secret for a day after a rotation', async () => {
    const { id } = await endpoint({ filter_types: ['payment.succeeded'] });
    const { secret: old } = await client.webhooks.retrieveSecret(id);
    await client.post(`/webhooks/${id}/rotate`);
    const { secret: current } = await client.webhooks.retrieveSecret(id);
    expect(current).not.toBe(old);
    receiver.setSecret(current);
    const { payment } = await buyGuide();
    const arrived = await receiver.waitFor(({ body }) => body.includes(payment.payment_id), 60_000);
    const headers = arrived.headers as Record<string, string>;
    for (const key of [old, current])
      expect(client.webhooks.unwrap(arrived.body, { headers, key })).toMatchObject({ type: 'payment.succeeded' });
    const stranger = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(() => client.webhooks.unwrap(arrived.body, { headers, key: stranger })).toThrow(
      'No matching signature found',
    );
  });

  it('are sent only to endpoints that subscribe to their type', async () => {
    await endpoint({ filter_types: ['refund.failed'] });
    await endpoint({ disabled: true });
    const { id } = await endpoint({ filter_types: ['payment.succeeded'] });
    receiver.setSecret((await client.webhooks.retrieveSecret(id)).secret);
    const { payment } = await buyGuide();
    const ofPayment = ({ body }: { body: string }) => body.includes(payment.payment_id);
    await receiver.waitFor(ofPayment, 60_000);
    const event: { deliveries: object[] } = await client.get(
      `/webhook-events/${receiver.deliveries.find(ofPayment)?.id}`,
    );
    expect(event.deliveries).toMatchObject([{ webhook_id: id }]);
    expect(receiver.deliveries.filter(ofPayment)).toHaveLength(1);
  });
});

describe('requests', () => {
  it('that are refused raise the client’s error class for that status', async () => {
    const wrong = clientWith({ bearerToken: 'sk_test_wrong' }).payments.list();
    await expect(wrong).rejects.toThrow(DodoPayments.AuthenticationError);
    const live = clientWith({ bearerToken: formatApiKey('live', 'x'.repeat(32)) });
    await expect(live.payments.list()).rejects.toThrow(DodoPayments.AuthenticationError);
    await expect(refusalOf(live.payments.list().then())).resolves.toBe('401 WRONG_MODE');
    const reader = clientWith({ bearerToken: await addKey({ access: 'read' }) });
    await expect(reader.payments.list()).resolves.toBeDefined();
    await expect(reader.products.create(guide())).rejects.toThrow(DodoPayments.PermissionDeniedError);
    await expect(client.payments.retrieve(`pay_${'x'.repeat(21)}`)).rejects.toThrow(DodoPayments.NotFoundError);
    await expect(client.get('/nothing')).rejects.toThrow(DodoPayments.NotFoundError);
    await expect(client.products.create(guide({ name: '' }))).rejects.toThrow(DodoPayments.UnprocessableEntityError);
  });

  it('that are refused name the first fault and list all faults', async () => {
    const error = await client.products.create(guide({ name: '', tax_category: 'x' })).catch((reason) => reason);
    expect(error.error).toMatchObject({
      type: expect.stringMatching(/^urn:tillstack:problem:/),
      status: 422,
      instance: '/products',
      param: 'name',
      errors: [{ path: 'name' }, { path: 'tax_category' }],
      request_id: expect.any(String),
    });
    expect(error.headers.get('content-type')).toBe('application/problem+json');
  });

  it('with an Idempotency-Key have one effect', async () => {
    const { payment } = await buyGuide();
    const key = { headers: { 'Idempotency-Key': 'conformance-21' } };
    const first = await refund(payment.payment_id, { amount: 100 }, key);
    const { data, response } = await client.refunds
      .create({ payment_id: payment.payment_id, amount: 100 } as RefundCreateParams, key)
      .withResponse();
    expect(data).toEqual(first);
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    await expect(refusalOf(refund(payment.payment_id, { amount: 101 }, key))).resolves.toBe(
      '422 IDEMPOTENCY_KEY_REUSED',
    );
    expect((await client.payments.retrieve(payment.payment_id)).refunds).toHaveLength(1);
  });

  it('for a refund whose answer is lost are repeated by the client, and the money is returned once', async () => {
    const sales = campaign(50, 20);
    const refundedTwice: string[] = [];
    const lossy = clientWith({ maxRetries: 2, fetch: losesFirstAnswer() });
    const many = async () => {
      const { payment } = await buyGuide();
      const made = new Set<string>();
      for (let part = 0; part < 4; part += 1) {
        const { refund_id: id } = (await lossy.refunds.create({
          payment_id: payment.payment_id,
          amount: 100 + part,
        } as RefundCreateParams)) as Refund;
        made.add(id);
      }
      const { refunds } = await client.payments.retrieve(payment.payment_id);
      if (refunds.length !== 4 || refunds.some(({ refund_id }) => !made.has(refund_id)))
        refundedTwice.push(payment.payment_id);
      return refunds.length;
    };
    const takeRealTime = shortenTimers(20); // before the client's second tries
    const counts = await Promise.all(Array.from({ length: sales }, many)).finally(takeRealTime);
    expect(refundedTwice).toEqual([]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sales * 4);
  });

  /** The first answer to every request gets lost, its automatic retry arrives. */
  function losesFirstAnswer() {
    return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = await fetch(input, init);
      const isRetry = Number(new Headers(init?.headers).get('x-stainless-retry-count') ?? 0) > 0;
      if (isRetry) return response;
      await response.arrayBuffer();
      throw new TypeError('fetch failed');
    };
  }

  it('are refused with an unknown or an unsupported field, and accepted with a field that is safe to ignore', async () => {
    await expect(refusalOf(client.products.create(guide({ colour: 'red' })))).resolves.toBe('422 INVALID_REQUEST_BODY');
    const accepted = await client.products.create(guide({ addons: null }));
    const opened = (fields: object) => refusalOf(open([line(accepted.product_id)], fields));
    const asksNothing = { force_3ds: false, custom_fields: [], feature_flags: { require_tax_id: false } };
    expect(await opened({ ...asksNothing, customization: { theme: 'dark' }, short_link: true })).toBe('accepted');
    expect(await opened({ force_3ds: true })).toBe('422 INVALID_REQUEST_PARAMETERS');
    expect(await refusalOf(client.products.create(guide({ addons: ['adn_1'] })))).toBe(
      '422 INVALID_REQUEST_PARAMETERS',
    );
  });

  it('that are not JSON are refused, because of their content or their content type', async () => {
    const post = (body: string, type: string) =>
      fetch(`${sandbox.url}/products`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${localKey}`, 'content-type': type },
      });
    expect((await post('{"name":', 'application/json')).status).toBe(400);
    expect((await post(JSON.stringify(guide()), 'text/plain')).status).toBe(415);
    expect((await post(JSON.stringify(guide()), 'application/json; charset=utf-8')).status).toBe(200);
  });
});

describe('discounts', () => {
  it('are created, found, changed, attached and deleted by the official client', async () => {
    const made = await client.discounts.create({ type: 'percentage', amount: 2_000, code: 'library', usage_limit: 5 });
    expect(made).toMatchObject({ code: 'LIBRARY', times_used: 0, usage_limit: 5 });
    expect(await client.discounts.retrieve(made.discount_id)).toEqual(made);
    expect(await client.discounts.retrieveByCode('Library')).toEqual(made);
    const listed: string[] = [];
    for await (const { code } of client.discounts.list({ code: 'libr', active: true })) listed.push(code);
    expect(listed).toEqual(['LIBRARY']);
    const named = await client.discounts.update(made.discount_id, { name: 'Readers' });
    expect(named.name).toBe('Readers');
    const { product_id } = await client.products.create(guide());
    const cart = { product_cart: [{ product_id, quantity: 1 }], discount_codes: ['library'] };
    const preview = await client.checkoutSessions.preview(cart);
    expect(preview.total_price).toBe(952); // 1190 less 20 %: 238
    expect((await client.checkoutSessions.create(cart)).session_id).toMatch(/^cks_/);
    await client.discounts.delete(made.discount_id);
    await expect(refusalOf(client.discounts.retrieve(made.discount_id))).resolves.toBe('404 NOT_FOUND');
    await expect(refusalOf(client.checkoutSessions.create(cart))).resolves.toBe('422 INVALID_DISCOUNT_CODE');
  });
});

describe('the customer portal', () => {
  /** Presses the button of a link in a new browser, and shows the portal there. */
  async function portalBehind(link: string): Promise<string> {
    const page = await (await fetch(link)).text();
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const pressed = await fetch(new URL('/portal/confirm', link), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ token }),
    });
    expect(pressed.status).toBe(303);
    const cookie = pressed.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
    return (await fetch(new URL('/portal', link), { headers: { cookie: cookie.join('; ') } })).text();
  }

  it('opens all purchases of a customer by the link that the client gets, and leads back to the shop', async () => {
    const { payment } = await buyGuide();
    const options = { return_url: 'https://shop.example/account', send_email: false };
    const { link } = await client.customers.customerPortal.create(payment.customer.customer_id, options);
    const page = await portalBehind(link);
    expect(page).toContain(payment.payment_id);
    expect(page).toContain('href="https://shop.example/account"');
  });

  it('works with the client’s framework adapters, which redirect the buyer to the link', async () => {
    const { payment } = await buyGuide();
    /** `CustomerPortal` of the adapters for Hono, Next.js and others. */
    async function handler(request: Request): Promise<Response> {
      const { searchParams } = new URL(request.url);
      const params = { send_email: searchParams.get('send_email') === 'true' };
      const session = await client.customers.customerPortal.create(searchParams.get('customer_id') ?? '', params);
      return Response.redirect(session.link);
    }
    const id = payment.customer.customer_id;
    const answer = await handler(new Request(`https://shop.example/portal?customer_id=${id}`));
    expect(answer.status).toBe(302);
    expect(await portalBehind(answer.headers.get('location') ?? '')).toContain(payment.payment_id);
  });

  it('answers an unknown customer with an error that the client recognizes', async () => {
    await expect(refusalOf(client.customers.customerPortal.create('cus_x'))).resolves.toBe('404 NOT_FOUND');
  });
});
