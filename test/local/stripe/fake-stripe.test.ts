import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeStripe, type FakeStripeOptions, startFakeStripe } from '../../../infra/local/stripe/fake-stripe.ts';
import { topUp } from '../../../infra/local/stripe/refunds.ts';
import { steppedClock } from '../../support/processors.ts';

let fake: FakeStripe;
let clock: ReturnType<typeof steppedClock>;
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The fake, and Stripe's own client in front of it. */
async function start(options: FakeStripeOptions = {}): Promise<Stripe> {
  clock = steppedClock();
  fake = await startFakeStripe({ now: clock.now, seed: 'a test', ...options });
  stops.push(fake.stop);
  const { port } = new URL(fake.url);
  return new Stripe('rk_test_fake', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

const seconds = () => Math.floor(clock.now().getTime() / 1_000);

const session = (fields: Partial<Stripe.Checkout.SessionCreateParams> = {}): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  ui_mode: 'hosted_page',
  line_items: [
    { quantity: 1, price_data: { currency: 'eur', unit_amount: 1_999, product_data: { name: 'Field <Guide>' } } },
  ],
  client_reference_id: 'pay_1',
  metadata: { payment_id: 'pay_1', merchant_id: 'demo' },
  payment_intent_data: { metadata: { payment_id: 'pay_1', merchant_id: 'demo' } },
  customer_email: 'buyer@example.com',
  success_url: 'https://shop.example/return',
  cancel_url: 'https://shop.example/back',
  expires_at: seconds() + 7_200,
  ...fields,
});

/** Presses a button of a page; the browser is led on, or shown something. */
async function press(url: string, fields: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

async function bought(stripe: Stripe, means = '4242424242424242') {
  const created = await stripe.checkout.sessions.create(session());
  await press(String(created.url), { means });
  const found = await stripe.checkout.sessions.retrieve(created.id);
  return { id: created.id, intent: String(found.payment_intent), session: found };
}

const failureOf = (call: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  call.then(
    () => Promise.reject(new Error('It went well.')),
    (error) => error,
  );

describe('the API of the simulated Stripe, called by Stripe’s own client', () => {
  it('stores a session with its metadata, opens its page, and lists the newest session first', async () => {
    const stripe = await start();
    const first = await stripe.checkout.sessions.create(session());
    clock.forward({ minutes: 1 });
    const second = await stripe.checkout.sessions.create(session());
    expect(first).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 1_999,
      metadata: { payment_id: 'pay_1' },
    });
    expect(first.url).toBe(`${fake.url}/c/pay/${first.id}`);
    const page = await stripe.checkout.sessions.list({ limit: 1 });
    expect({ ids: page.data.map(({ id }) => id), more: page.has_more }).toEqual({ ids: [second.id], more: true });
    const older = await stripe.checkout.sessions.list({ created: { lte: first.created } });
    expect(older.data.map(({ id }) => id)).toEqual([first.id]);
    const all: string[] = [];
    for await (const { id } of stripe.checkout.sessions.list({ limit: 1 })) all.push(id);
    expect(all).toEqual([second.id, first.id]);
  });

  it('expands the requested fields, to any depth', async () => {
    const stripe = await start();
    const { id } = await bought(stripe);
    const plain = await stripe.checkout.sessions.retrieve(id);
    expect(plain.payment_intent).toMatch(/^pi_/);
    const expanded = await stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge.balance_transaction'],
    });
    expect(expanded).toMatchObject({
      payment_status: 'paid',
      payment_intent: {
        status: 'succeeded',
        latest_charge: { paid: true, balance_transaction: { amount: 1_999, fee: 55, net: 1_944 } },
      },
    });
  });

  it('creates the same ids for the same seed', async () => {
    const ids = [];
    for (const seed of ['a', 'a', 'b'])
      ids.push((await (await start({ seed })).checkout.sessions.create(session())).id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('refuses another key, and an unknown call', async () => {
    const stripe = await start();
    fake.key = 'rk_test_new';
    expect(await failureOf(stripe.checkout.sessions.list())).toMatchObject({
      statusCode: 401,
      code: 'api_key_invalid',
    });
    fake.key = 'rk_test_fake';
    expect(await failureOf(stripe.customers.list())).toMatchObject({ statusCode: 404 });
    expect(await failureOf(stripe.checkout.sessions.retrieve('cs_test_none'))).toMatchObject({
      code: 'resource_missing',
    });
  });

  it.each([
    { name: 'in 29 minutes', expires: 29 * 60, isRefused: true },
    { name: 'in 30 minutes', expires: 30 * 60, isRefused: false },
    { name: 'in 24 hours', expires: 24 * 3_600, isRefused: false },
    { name: 'in 24 hours and a second', expires: 24 * 3_600 + 1, isRefused: true },
  ])('handles a session that expires $name, with a refusal: $isRefused', async ({ expires, isRefused }) => {
    const stripe = await start();
    const created = stripe.checkout.sessions.create(session({ expires_at: seconds() + expires }));
    if (isRefused) expect(await failureOf(created)).toMatchObject({ statusCode: 400, param: 'expires_at' });
    else expect((await created).status).toBe('open');
  });

  it.each([
    { unit_amount: 49, currency: 'eur', code: 'amount_too_small' },
    { unit_amount: 100_000_000, currency: 'eur', code: 'amount_too_large' },
    { unit_amount: 12_345, currency: 'kwd', code: 'parameter_invalid_integer' },
  ])('refuses a price of $unit_amount $currency', async ({ unit_amount, currency, code }) => {
    const stripe = await start();
    const price_data = { currency, unit_amount, product_data: { name: 'A thing' } };
    expect(
      await failureOf(stripe.checkout.sessions.create(session({ line_items: [{ quantity: 1, price_data }] }))),
    ).toMatchObject({ code });
  });
});

describe('an account of the simulated Stripe', () => {
  it.each([
    { name: 'that cannot charge', profile: { chargesEnabled: false }, says: 'cannot currently make live charges' },
    { name: 'without a name', profile: { businessName: null }, says: 'must set an account or business name' },
    { name: 'without the currency', profile: { currencies: new Set(['usd']) }, says: 'cannot charge in eur' },
    { name: 'without methods', profile: { methods: [] }, says: 'No valid payment method types' },
  ])('$name creates no session, and the error says why', async ({ profile, says }) => {
    const stripe = await start();
    Object.assign(fake.account.profile, profile);
    const failure = await failureOf(stripe.checkout.sessions.create(session()));
    expect([failure.statusCode, failure.message]).toEqual([400, expect.stringContaining(says)]);
    expect(fake.account.sessions.size).toBe(0);
  });

  it('names the right that its key lacks', async () => {
    const stripe = await start();
    fake.account.rights = new Set(['GET checkout/sessions']);
    const failure = await failureOf(stripe.checkout.sessions.create(session()));
    expect(failure.statusCode).toBe(403);
    expect(failure.message).toContain("Having the 'rak_checkout_session_write' permission would allow this request");
    expect((await stripe.checkout.sessions.list()).data).toEqual([]);
    const hidden = await failureOf(stripe.balanceTransactions.list());
    expect(hidden.message).toContain('rak_balance_transaction_source_read');
  });

  it.each([
    {
      name: 'an e-mail address that Stripe does not take',
      fields: { customer_email: 'a..b@example.com' },
      param: 'customer_email',
      code: 'email_invalid',
    },
    {
      name: 'an e-mail address without a domain',
      fields: { customer_email: 'buyer@localhost' },
      param: 'customer_email',
      code: 'email_invalid',
    },
    {
      name: 'metadata that is too long',
      fields: { metadata: { note: 'x'.repeat(501) } },
      param: 'metadata',
      code: undefined,
    },
    {
      name: 'too much metadata',
      fields: { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])) },
      param: 'metadata',
      code: undefined,
    },
    { name: 'an address that is none', fields: { success_url: 'shop' }, param: 'success_url', code: 'url_invalid' },
  ])('refuses $name, and names the parameter', async ({ fields, param, code }) => {
    const stripe = await start();
    const failure = await failureOf(stripe.checkout.sessions.create(session(fields)));
    expect(failure).toMatchObject({ statusCode: 400, param });
    expect(failure.code).toBe(code);
  });

  it('requires HTTPS return addresses only in live mode', async () => {
    const stripe = await start({ isLive: true, key: 'rk_test_fake' });
    const refused = await failureOf(stripe.checkout.sessions.create(session({ success_url: 'http://shop.example/' })));
    expect(refused).toMatchObject({ code: 'url_invalid', param: 'success_url' });
    expect((await stripe.checkout.sessions.create(session())).status).toBe('open');
  });
});

describe('an idempotency key of the simulated Stripe', () => {
  it('repeats the first answer for 24 hours, refuses other parameters, and then expires', async () => {
    const stripe = await start();
    const parameters = session();
    const create = (fields: object = {}) =>
      stripe.checkout.sessions.create({ ...parameters, ...fields }, { idempotencyKey: 'pay_1' });
    const first = await create();
    clock.forward({ hours: 1, minutes: 59 });
    const again = await create();
    expect({ ...again, lastResponse: undefined }).toEqual({ ...first, lastResponse: undefined });
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await failureOf(create({ customer_email: 'b@example.com' }))).toMatchObject({
      statusCode: 400,
      rawType: 'idempotency_error',
    });
    clock.forward({ hours: 23 });
    expect(await failureOf(create())).toMatchObject({ param: 'expires_at' });
  });

  it('is checked before the parameters, and keeps a refusal like any other answer', async () => {
    const stripe = await start();
    const create = (expires_at: number) =>
      stripe.checkout.sessions.create(session({ expires_at }), { idempotencyKey: 'pay_1' });
    const [past, future] = [seconds(), seconds() + 7_200];
    expect(await failureOf(create(past))).toMatchObject({ param: 'expires_at' });
    expect(await failureOf(create(future))).toMatchObject({ rawType: 'idempotency_error' });
    clock.forward({ hours: 23 });
    expect((await failureOf(create(past))).headers?.['idempotent-replayed']).toBe('true');
    clock.forward({ hours: 1 });
    expect((await create(seconds() + 7_200)).status).toBe('open');
  });

  it('keeps the refusal of an incomplete account, even after the account was completed', async () => {
    const stripe = await start();
    fake.account.profile.businessName = null;
    const parameters = session();
    const create = (idempotencyKey: string) => stripe.checkout.sessions.create(parameters, { idempotencyKey });
    expect((await failureOf(create('pay_1'))).message).toContain('you must set an account or business name');
    fake.account.profile.businessName = 'A Shop';
    expect((await failureOf(create('pay_1'))).message).toContain('you must set an account or business name');
    expect((await create('pay_2')).status).toBe('open');
  });

  it('stores no answer for a request above the rate limit', async () => {
    const stripe = await start();
    const parameters = session();
    const create = () => stripe.checkout.sessions.create(parameters, { idempotencyKey: 'pay_1' });
    fake.fate = () => 'too-many';
    expect(await failureOf(create())).toMatchObject({ statusCode: 429, code: 'rate_limit' });
    fake.fate = () => 'answered';
    expect((await create()).status).toBe('open');
  });

  it('is locked while the first request is running', async () => {
    const stripe = await start();
    const fates = [{ busyMs: 300 }, 'answered' as const];
    fake.fate = () => fates.shift() ?? 'answered';
    const parameters = session();
    const create = () => stripe.checkout.sessions.create(parameters, { idempotencyKey: 'pay_1' });
    const first = create();
    await expect.poll(() => fake.calls.length).toBe(1);
    expect(await failureOf(create())).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    expect((await first).status).toBe('open');
    expect((await create()).id).toBe((await first).id);
  });

  it('repeats a server error as well', async () => {
    const stripe = await start();
    fake.fate = () => 'broken';
    const parameters = session();
    const create = () => stripe.checkout.sessions.create(parameters, { idempotencyKey: 'pay_1' });
    expect(await failureOf(create())).toMatchObject({ statusCode: 500 });
    fake.fate = () => 'answered';
    expect(await failureOf(create())).toMatchObject({ statusCode: 500 });
  });
});

describe('the payment page of the simulated Stripe', () => {
  it('shows the ordered products as escaped text, and leads back after the payment', async () => {
    const stripe = await start();
    const { url, id } = await stripe.checkout.sessions.create(session());
    const page = await (await fetch(String(url))).text();
    expect(page).toContain('Pay €19.99 <small>(1999 units)</small>');
    expect(page).toContain('Field &#60;Guide&#62;');
    expect(page).toContain('href="https://shop.example/back"');
    expect(await press(String(url), { means: '4242424242424242' })).toMatchObject({
      status: 303,
      location: 'https://shop.example/return',
    });
    expect(await press(String(url), { means: '4242424242424242' })).toMatchObject({
      status: 303,
      location: 'https://shop.example/return',
    });
    expect(fake.ledger()).toEqual([
      { paymentId: 'pay_1', currency: 'eur', charges: 1, paid: 1_999, refunded: 0, disputed: 0 },
    ]);
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('complete');
  });

  it('lets the buyer try again after a decline', async () => {
    const stripe = await start();
    const { url, id } = await stripe.checkout.sessions.create(session());
    expect((await press(String(url), { means: '4000000000000002' })).text).toContain('declined');
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open');
    expect((await press(String(url), { means: '4242424242424242' })).status).toBe(303);
  });

  it.each([
    { confirmed: 'yes', status: 'complete' },
    { confirmed: 'no', status: 'open' },
  ])('asks for 3-D Secure, and with the answer $confirmed has the status $status', async ({ confirmed, status }) => {
    const stripe = await start();
    const { url, id } = await stripe.checkout.sessions.create(session());
    expect((await press(String(url), { means: '4000000000003220' })).text).toContain('asks you to confirm');
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open');
    await press(String(url), { means: '4000000000003220', confirmed });
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe(status);
  });

  it.each([
    { means: 'debit', intent: 'succeeded', payment_status: 'paid' },
    { means: 'debit-fails', intent: 'requires_payment_method', payment_status: 'unpaid' },
  ])('accepts a $means that ends later: $intent', async ({ means, intent, payment_status }) => {
    const stripe = await start();
    const { id, intent: intentId, session: waiting } = await bought(stripe, means);
    expect(waiting).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    expect((await stripe.paymentIntents.retrieve(intentId)).status).toBe('processing');
    fake.finish();
    expect((await stripe.paymentIntents.retrieve(intentId)).status).toBe(intent);
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe(payment_status);
  });

  it('cannot be closed while the buyer’s bank requires a confirmation', async () => {
    const stripe = await start();
    const { url, id } = await stripe.checkout.sessions.create(session());
    await press(String(url), { means: '4000000000003220' });
    expect(await failureOf(stripe.checkout.sessions.expire(id))).toMatchObject({ statusCode: 400 });
    await press(String(url), { means: '4000000000003220', confirmed: 'no' });
    expect((await stripe.checkout.sessions.expire(id)).status).toBe('expired');
  });

  it('accepts no payment after it was closed or has expired', async () => {
    const stripe = await start();
    const closed = await stripe.checkout.sessions.create(session());
    expect((await stripe.checkout.sessions.expire(closed.id)).status).toBe('expired');
    expect(await failureOf(stripe.checkout.sessions.expire(closed.id))).toMatchObject({ statusCode: 400 });
    const late = await stripe.checkout.sessions.create(session());
    clock.forward({ hours: 2 });
    for (const url of [closed.url, late.url])
      expect((await press(String(url), { means: '4242424242424242' })).status).toBe(410);
    expect(fake.ledger()).toEqual([]);
  });
});

describe('refunds and disputes of the simulated Stripe', () => {
  it('never pay back more than was paid', async () => {
    const stripe = await start();
    const { intent } = await bought(stripe);
    const refund = (amount: number) => stripe.refunds.create({ payment_intent: intent, amount });
    expect(await refund(1_000)).toMatchObject({ status: 'succeeded', amount: 1_000 });
    expect(await failureOf(refund(1_000))).toMatchObject({ param: 'amount' });
    expect(await refund(999)).toMatchObject({ status: 'succeeded' });
    expect(await failureOf(refund(1))).toMatchObject({ code: 'charge_already_refunded' });
    expect((await stripe.refunds.list({ payment_intent: intent })).data.map(({ amount }) => amount)).toEqual([
      999, 1_000,
    ]);
  });

  it.each([
    { means: '4000000000007726', begins: 'pending', ends: 'succeeded', refunded: 500 },
    { means: '4000000000005126', begins: 'succeeded', ends: 'failed', refunded: 0 },
  ])('of a payment by card $means begin as $begins and end as $ends', async ({ means, begins, ends, refunded }) => {
    const stripe = await start();
    const { intent } = await bought(stripe, means);
    const { id, status } = await stripe.refunds.create({ payment_intent: intent, amount: 500 });
    fake.finish();
    expect([status, (await stripe.refunds.retrieve(id)).status]).toEqual([begins, ends]);
    expect(fake.ledger()[0]?.refunded).toBe(refunded);
  });

  it('wait until the balance is high enough, or fail without waiting', async () => {
    const stripe = await start();
    const { intent } = await bought(stripe);
    fake.account.available = new Map([['eur', 400]]);
    const refund = () => stripe.refunds.create({ payment_intent: intent, amount: 500 });
    expect(await failureOf(refund())).toMatchObject({ statusCode: 400, code: 'balance_insufficient' });
    expect(fake.account.refunds.size).toBe(0);
    fake.account.shortage = 'pending';
    const { id, status, pending_reason } = await refund();
    expect([status, pending_reason, fake.ledger()[0]?.refunded]).toEqual(['pending', 'insufficient_funds', 0]);
    topUp(fake.account, 'eur', 99);
    expect((await stripe.refunds.retrieve(id)).status).toBe('pending');
    topUp(fake.account, 'eur', 1);
    expect((await stripe.refunds.retrieve(id)).status).toBe('succeeded');
    expect((await stripe.balance.retrieve()).available).toMatchObject([{ currency: 'eur', amount: 0 }]);
    expect(fake.ledger()[0]?.refunded).toBe(500);
  });

  it.each([
    { act: 'pay-back', status: 'succeeded', refunded: 500 },
    { act: 'cancel', status: 'canceled', refunded: 0 },
  ])('ask the buyer of a bank transfer for an account, and are then $status', async ({ act, status, refunded }) => {
    const stripe = await start();
    const { intent } = await bought(stripe, 'transfer');
    const made = await stripe.refunds.create({ payment_intent: intent, amount: 500 });
    expect(made).toMatchObject({ status: 'requires_action', next_action: { type: 'display_details' } });
    expect((await press(`${fake.url}/`, { id: made.id, act })).status).toBe(303);
    expect((await stripe.refunds.retrieve(made.id)).status).toBe(status);
    expect(fake.ledger()[0]?.refunded).toBe(refunded);
  });

  it('of a debit wait until the debit’s money has arrived', async () => {
    const stripe = await start();
    const { intent } = await bought(stripe, 'debit-settling');
    const made = await stripe.refunds.create({ payment_intent: intent, amount: 500 });
    expect([made.status, made.pending_reason]).toEqual(['pending', 'charge_pending']);
    fake.finish();
    expect((await stripe.refunds.retrieve(made.id)).status).toBe('succeeded');
  });

  it.each([
    { act: 'toggle-charges', fails: 'cannot currently make live charges' },
    { act: 'toggle-name', fails: 'set an account or business name' },
  ])(
    'belong to an account with settings that its page can switch off, which makes payments fail: $act',
    async ({ act, fails }) => {
      const stripe = await start();
      await press(`${fake.url}/`, { id: '', act });
      expect((await failureOf(stripe.checkout.sessions.create(session()))).message).toContain(fails);
      await press(`${fake.url}/`, { id: '', act });
      expect((await stripe.checkout.sessions.create(session())).status).toBe('open');
    },
  );

  it.each([
    { act: 'win', status: 'won', disputed: 0 },
    { act: 'lose', status: 'lost', disputed: 1_999 },
  ])(
    'take the money from the merchant, and return it if the merchant wins: $act',
    async ({ act, status, disputed }) => {
      const stripe = await start();
      const { intent } = await bought(stripe, '4000000000000259');
      const [opened] = (await stripe.disputes.list({ payment_intent: intent })).data;
      expect(opened).toMatchObject({ status: 'needs_response', amount: 1_999 });
      expect(fake.ledger()[0]?.disputed).toBe(1_999);
      expect(await failureOf(stripe.refunds.create({ payment_intent: intent }))).toMatchObject({
        code: 'charge_disputed',
      });
      for (const button of ['challenge', act]) await press(`${fake.url}/`, { id: String(opened?.id), act: button });
      expect((await stripe.disputes.retrieve(String(opened?.id))).status).toBe(status);
      expect(fake.ledger()[0]?.disputed).toBe(disputed);
    },
  );

  it('change the balance, which always equals the sum of its transactions', async () => {
    const stripe = await start();
    const { intent } = await bought(stripe);
    await stripe.refunds.create({ payment_intent: intent, amount: 500 });
    const { data } = await stripe.balanceTransactions.list({ limit: 100 });
    // 19.99 − 0.55 − 5.00
    expect(data.reduce((sum, { net }) => sum + net, 0)).toBe(1_444);
  });

  it('can be completed on the account’s page', async () => {
    const stripe = await start();
    const { id } = await bought(stripe, 'debit');
    expect(await (await fetch(fake.url)).text()).toContain(id);
    await press(`${fake.url}/`, { id, act: 'arrive' });
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid');
    expect((await press(`${fake.url}/`, { id, act: 'explode' })).status).toBe(400);
  });
});

describe('notifications of the simulated Stripe', () => {
  const secret = 'whsec_of_a_test';

  /** A shop that hears notifications, and answers with these statuses first. */
  async function listening(statuses: number[] = []) {
    const heard: { event: Stripe.Event; isSigned: boolean }[] = [];
    const verifier = new Stripe('rk_test_fake');
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const signature = String(request.headers['stripe-signature']);
      const isSigned = verifier.webhooks.signature?.verifyHeader(
        body,
        signature,
        secret,
        300,
        undefined,
        clock.now().getTime(),
      );
      heard.push({ event: JSON.parse(body), isSigned: isSigned === true });
      response.writeHead(statuses.shift() ?? 200).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    stops.push(async () => server.close());
    const { port } = server.address() as AddressInfo;
    return {
      heard,
      types: () => heard.map(({ event }) => event.type),
      endpoint: { url: `http://127.0.0.1:${port}/`, secrets: ['whsec_other', secret] },
    };
  }

  it('are signed as Stripe signs, with both secrets during a rotation', async () => {
    const { heard, types, endpoint } = await listening();
    const stripe = await start({ endpoint });
    await bought(stripe);
    await expect.poll(types).toEqual(['charge.updated', 'checkout.session.completed']);
    expect(heard.every(({ isSigned }) => isSigned)).toBe(true);
    expect(heard[1]?.event).toMatchObject({ livemode: false, data: { object: { client_reference_id: 'pay_1' } } });
  });

  it('are sent again until they are accepted, after longer and longer pauses', async () => {
    const { heard, endpoint } = await listening([500, 500, 500]);
    const stripe = await start({ endpoint });
    fake.notifies = 'by-hand';
    const { id } = await stripe.checkout.sessions.create(session());
    await stripe.checkout.sessions.expire(id);
    const counts: number[] = [];
    for (const minutes of [0, 0, 1, 4, 1, 30, 100]) {
      clock.forward({ minutes });
      await fake.tick();
      counts.push(heard.length);
    }
    // at once, then 1, 5 and 30 minutes after each other
    expect(counts).toEqual([1, 1, 2, 2, 3, 4, 4]);
    expect(fake.notifications.waiting).toBe(0);
  });

  it.each([
    { habit: 'never', types: [] },
    { habit: 'once', types: ['charge.updated', 'checkout.session.completed'] },
    {
      habit: 'twice',
      types: ['charge.updated', 'charge.updated', 'checkout.session.completed', 'checkout.session.completed'],
    },
    { habit: 'held', types: ['checkout.session.completed', 'charge.updated'] },
  ] as const)('arrive as often and in the order that the test sets: $habit', async ({ habit, types: expected }) => {
    const { types, endpoint } = await listening();
    const stripe = await start({ endpoint });
    fake.notifies = 'by-hand';
    fake.notifications.habit = habit;
    await bought(stripe);
    fake.notifications.release();
    await fake.deliver();
    expect(types()).toEqual(expected);
  });

  it('arrive before the API’s answer if the test is set up for that', async () => {
    const { types, endpoint } = await listening();
    const stripe = await start({ endpoint });
    fake.notifies = 'before';
    const { id } = await stripe.checkout.sessions.create(session());
    await stripe.checkout.sessions.expire(id);
    expect(types()).toEqual(['checkout.session.expired']);
  });
});
