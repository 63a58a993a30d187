import { createHmac } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { probeCounter, secretNames, secretsFolder } from '../../../shared/domain/processor.ts';
import { dueRows, now, payments, sessions, table, throttles } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { type StripeShop, shopSigningSecret, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
beforeEach(() => clock.stopAt('2026-03-01T12:00:00.000Z'));
afterEach(() => {
  shop.fake.fate = () => 'answered';
  shop.fake.key = shop.key;
  shop.parameters.values.set(names.signingSecrets, shopSigningSecret).set(names.key, shop.key);
  clock.run();
});
afterAll(() => shop.stop());
useShortPauses();

const names = secretNames(secretsFolder('demo', 'sandbox', 'stripe'));
const seconds = () => Math.floor(now().getTime() / 1_000);
const signature = (body: string, { secret = shopSigningSecret, at = seconds() } = {}) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

/** The notification about a payment's session. */
const told = (payment: { id: string; reference?: string | null }, fields: object = {}, object: object = {}) =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    livemode: false,
    data: {
      object: {
        id: payment.reference,
        client_reference_id: payment.id,
        metadata: { payment_id: payment.id, merchant_id: 'demo' },
        ...object,
      },
    },
    ...fields,
  });

/** A payment that the buyer has paid on Stripe's page, and of which we know nothing yet. */
async function paid() {
  const payment = await shop.begin();
  shop.payAt(String(payment.reference));
  return payment;
}
const statusOf = async (id: string) => (await payments().get(id)).status;
const isDue = async (id: string): Promise<boolean> =>
  (await dueRows().list(now().toISOString(), 1_000)).some((row) => row.id === id);

describe('a notification from Stripe', () => {
  it('completes its payment once, also when it arrives many times', async () => {
    const payment = await paid();
    expect(payment).toMatchObject({ status: 'processing', processor: 'stripe' });
    expect((await shop.notify(told(payment))).status).toBe(200);
    const ended = await payments().get(payment.id);
    for (const _ of [2, 3]) expect((await shop.notify(told(payment))).status).toBe(200);
    expect(await payments().get(payment.id)).toEqual(ended);
    expect(ended).toMatchObject({
      status: 'succeeded',
      transaction: expect.stringMatching(/^pi_/),
      card: { lastFour: '4242', network: 'VISA', country: 'DE' },
    });
  });

  it('stores the processor’s card details, which the payment shows and the list does not', async () => {
    const payment = await paid();
    await shop.notify(told(payment));
    const { body } = await shop.api.call(`GET /payments/${payment.id}`);
    expect(body).toMatchObject({ card_exp_month: '12', card_exp_year: '2034', card_type: 'credit' });
    expect(body).toMatchObject({ three_ds_flow: 'frictionless', three_ds_status: 'authenticated' });
    expect(body.three_ds_version).toBe('2.2.0');
    const { items } = (await shop.api.call('GET /payments', { query: 'page_size=100' })).body;
    const listed = items.find((item: { payment_id: string }) => item.payment_id === payment.id);
    expect(listed).not.toHaveProperty('card_exp_month');
  });

  it('stores the country of the card as evidence of the buyer’s place, and changes no total', async () => {
    const payment = await paid();
    const evidence = async () => (await shop.api.call(`GET /payments/${payment.id}/calculation`)).body;
    expect(await evidence()).toMatchObject({ location_status: 'one_only' });
    await shop.notify(told(payment));
    expect(await evidence()).toMatchObject({
      location_status: 'two_match',
      location_evidence: [
        { type: 'billing_address', country: 'DE' },
        { type: 'card_country', country: 'DE' },
      ],
    });
    expect((await payments().get(payment.id)).gross).toBe(payment.gross);
  });

  it('only causes a question to the processor, and the state in its text is ignored', async () => {
    const payment = await shop.begin();
    const lie = told(payment, {}, { status: 'complete', payment_status: 'paid' });
    expect((await shop.notify(lie)).status).toBe(200);
    expect(await statusOf(payment.id)).toBe('processing');
  });

  it('finds a payment whose processor reference was never stored, because the answer was lost', async () => {
    shop.fake.fate = ({ method }) => (method === 'POST' ? 'answer-lost' : 'answered');
    const payment = await shop.begin();
    expect(payment.reference).toBeNull();
    shop.fake.fate = () => 'answered';
    const [session] = [...shop.fake.account.sessions.values()].filter((one) => one.client_reference_id === payment.id);
    shop.payAt(session!.id);
    expect((await shop.notify(told({ id: payment.id, reference: session!.id }))).status).toBe(200);
    expect(await payments().get(payment.id)).toMatchObject({ status: 'succeeded', reference: session!.id });
  });

  it('completes a refund that was pending', async () => {
    const payment = await shop.begin();
    shop.payAt(String(payment.reference), '4000000000007726');
    await shop.notify(told(payment));
    const { body } = await shop.api.call('POST /refunds', { body: { payment_id: payment.id, amount: 500 } });
    expect(body.status).toBe('pending');
    shop.fake.finish();
    const event = shop.fake.notifications.events.findLast(({ type }) => String(type).startsWith('refund.'));
    expect((await shop.notify(JSON.stringify(event))).status).toBe(200);
    expect((await shop.api.call(`GET /refunds/${body.refund_id}`)).body.status).toBe('succeeded');
    expect(shop.fake.ledger().find(({ paymentId }) => paymentId === payment.id)).toMatchObject({
      paid: 1_999,
      refunded: 500,
    });
  });

  it('is accepted with the old and the new secret while secrets are changed', async () => {
    clock.forward({ minutes: 6 });
    shop.parameters.values.set(names.signingSecrets, `whsec_thenextone\n${shopSigningSecret}`);
    for (const secret of ['whsec_thenextone', shopSigningSecret]) {
      const payment = await paid();
      const body = told(payment);
      expect((await shop.notify(body, signature(body, { secret }))).status).toBe(200);
      expect(await statusOf(payment.id)).toBe('succeeded');
    }
    clock.forward({ minutes: 6 });
  });

  it('is accepted while the parameter store is down', async () => {
    const payment = await paid();
    const values = new Map(shop.parameters.values);
    clock.forward({ minutes: 6 });
    process.env['AWS_ENDPOINT_URL_SSM'] = 'http://127.0.0.1:9';
    const { status } = await shop.notify(told(payment));
    process.env['AWS_ENDPOINT_URL_SSM'] = shop.parameters.url;
    expect([status, await statusOf(payment.id), values.size]).toEqual([200, 'succeeded', 2]);
  });
});

describe('a notification that comes while the processor does not answer our check', () => {
  it.each(['request-lost', 'answer-lost', 'broken'] as const)(
    'is answered with 200, and its payment is scheduled for the sweep: %s',
    async (fate) => {
      const payment = await paid();
      shop.fake.fate = () => fate;
      expect((await shop.notify(told(payment))).status).toBe(200);
      expect([await statusOf(payment.id), await isDue(payment.id)]).toEqual(['processing', true]);
    },
  );

  it('is answered with 200, and its refund is scheduled for the sweep', async () => {
    const payment = await shop.begin();
    shop.payAt(String(payment.reference), '4000000000007726');
    await shop.notify(told(payment));
    const { body: refund } = await shop.api.call('POST /refunds', { body: { payment_id: payment.id, amount: 500 } });
    shop.fake.finish();
    const event = shop.fake.notifications.events.findLast(({ type }) => String(type).startsWith('refund.'));
    expect(await isDue(refund.refund_id)).toBe(false);
    shop.fake.fate = () => 'request-lost';
    expect((await shop.notify(JSON.stringify(event))).status).toBe(200);
    expect(await isDue(refund.refund_id)).toBe(true);
    shop.fake.fate = () => 'answered';
    await invokeFunction('events/sweep-due', {});
    expect((await shop.api.call(`GET /refunds/${refund.refund_id}`)).body.status).toBe('succeeded');
  });

  it('is answered with 200, and its payment is scheduled for the sweep, when the API key was revoked', async () => {
    const payment = await paid();
    shop.fake.key = 'rk_test_another';
    expect((await shop.notify(told(payment))).status).toBe(200);
    expect([await statusOf(payment.id), await isDue(payment.id)]).toEqual(['processing', true]);
  });
});

describe('a notification about an object that we did not create', () => {
  it.each([
    { what: 'a payment that is not there', of: () => ({ id: 'pay_unknown', reference: 'cs_1' }) },
    { what: 'another session of a payment', of: (known: object) => ({ ...known, reference: 'cs_test_another' }) },
    { what: 'another merchant’s payment', object: { metadata: { payment_id: 'x', merchant_id: 'other' } } },
    { what: 'an object that names no payment', object: { metadata: {}, client_reference_id: null } },
    { what: 'what we do not listen to', fields: { type: 'customer.created' } },
    {
      what: 'a refund of the account’s own, but what it is about',
      fields: { type: 'refund.created' },
      object: { id: 're_1', metadata: {} },
      asks: 1,
    },
    {
      what: 'a refund that is not there',
      fields: { type: 'refund.updated' },
      object: { id: 're_1', metadata: { refund_id: 'ref_unknown' } },
    },
  ])(
    'is answered with 200 and changes no payment: $what',
    async ({ of = (known: object) => known, fields = {}, object = {}, asks = 0 }) => {
      const payment = await paid();
      const calls = shop.fake.calls.length;
      const { status } = await shop.notify(told(of(payment) as typeof payment, fields, object));
      expect([status, shop.fake.calls.length, await statusOf(payment.id)]).toEqual([200, calls + asks, 'processing']);
    },
  );
});

describe('a forged, altered, old or replayed notification', () => {
  const large = JSON.stringify({ padding: 'x'.repeat(256 * 1_024) });
  it.each([
    { what: 'forged', status: 401, send: (body: string) => [body, signature(body, { secret: 'whsec_guessed' })] },
    { what: 'changed', status: 401, send: (body: string) => [`${body} `, signature(body)] },
    { what: 'unsigned', status: 401, send: (body: string) => [body, ''] },
    { what: 'signed in nonsense', status: 401, send: (body: string) => [body, `t=${'9'.repeat(3_000)},v1=,,=`] },
    { what: 'old', status: 401, send: (body: string) => [body, signature(body, { at: seconds() - 301 })] },
    { what: 'from the future', status: 401, send: (body: string) => [body, signature(body, { at: seconds() + 301 })] },
    { what: 'oversized', status: 413, send: () => [large, signature(large)] },
    {
      what: 'of the other mode',
      status: 401,
      send: (body: string) => signedTwice(body.replace('"livemode":false', '"livemode":true')),
    },
    { what: 'no JSON', status: 400, send: () => signedTwice('{') },
    { what: 'no event', status: 400, send: () => signedTwice('[]') },
    { what: 'empty', status: 400, send: () => signedTwice('') },
  ])('is refused with $status without a request to the processor: $what', async ({ status: expected, send }) => {
    const payment = await paid();
    const calls = shop.fake.calls.length;
    const [body = '', header = ''] = send(told(payment));
    const { status } = await shop.notify(body, header);
    expect([status, shop.fake.calls.length, await statusOf(payment.id)]).toEqual([expected, calls, 'processing']);
  });

  it('changes nothing when it is replayed within five minutes, and is refused after that', async () => {
    const payment = await paid();
    const body = told(payment);
    const header = signature(body);
    expect((await shop.notify(body, header)).status).toBe(200);
    const ended = await payments().get(payment.id);
    clock.forward({ minutes: 4 });
    expect((await shop.notify(body, header)).status).toBe(200);
    expect([ended.status, await payments().get(payment.id)]).toEqual(['succeeded', ended]);
    clock.forward({ minutes: 2 });
    expect((await shop.notify(body, header)).status).toBe(401);
  });
});

const signedTwice = (body: string): string[] => [body, signature(body)];

describe('the state of a payment is requested from the processor', () => {
  it('by the sweep, which completes payments without a notification', async () => {
    const payment = await paid();
    clock.forward({ hours: 3 });
    await invokeFunction('events/sweep-due', {});
    expect(await statusOf(payment.id)).toBe('succeeded');
  });

  it('by the sweep, which counts failed checks for an alarm', async () => {
    const payment = await paid();
    clock.forward({ hours: 3 });
    shop.fake.fate = () => 'broken';
    const from = shop.api.log.length;
    await invokeFunction('events/sweep-due', {});
    const measured = shop.api.log
      .slice(from)
      .map((line) => JSON.parse(line))
      .find((line) => 'UnansweredRows' in line);
    expect(measured).toMatchObject({ merchant: 'demo', stage: 'sandbox', UnansweredRows: expect.any(Number) });
    expect(await statusOf(payment.id)).toBe('processing');
    shop.fake.fate = () => 'answered';
    clock.forward({ minutes: 2 });
    await invokeFunction('events/sweep-due', {});
    expect(await statusOf(payment.id)).toBe('succeeded');
  });

  it('by the sweep, which counts debits that are processing for more than two weeks for an alarm', async () => {
    const payment = await shop.begin();
    shop.payAt(String(payment.reference), 'debit');
    const stuck = async (passed: { days: number }): Promise<number> => {
      clock.forward(passed);
      const from = shop.api.log.length;
      await invokeFunction('events/sweep-due', {});
      const lines = shop.api.log.slice(from).map((line) => JSON.parse(line));
      expect(await statusOf(payment.id)).toBe('processing');
      return lines.find((line) => 'StuckPayments' in line)?.StuckPayments ?? 0;
    };
    expect(await stuck({ days: 1 })).toBe(0);
    expect(await stuck({ days: 12.9 })).toBe(0);
    expect(await stuck({ days: 0.2 })).toBe(1);
  });

  /** The cookie by which the browser that began a payment is recognized. */
  const cookieOf = ({ id, documentSecret }: Payment): string => `buyer=${id}.${documentSecret}`;

  it('by the page to which the buyer returns, and by the button that cancels an open payment', async () => {
    const one = await paid();
    const back = await shop.api.call(`GET /checkout/${one.sessionId}/return`, { key: null });
    expect([back.status, await statusOf(one.id)]).toEqual([303, 'succeeded']);
    const other = await shop.begin();
    const { formToken: token } = await sessions().get(other.sessionId);
    const changed = await postForm(shop.api, `/checkout/${other.sessionId}/change`, { token }, [cookieOf(other)]);
    expect(changed.status).toBe(303);
    expect(await statusOf(other.id)).toBe('cancelled');
    expect(shop.fake.account.sessions.get(String(other.reference))?.status).toBe('expired');
  });

  it('by the button that cancels an open payment, without a change while the processor is down', async () => {
    const payment = await shop.begin();
    const { formToken: token } = await sessions().get(payment.sessionId);
    shop.fake.fate = () => 'broken';
    const { status } = await postForm(shop.api, `/checkout/${payment.sessionId}/change`, { token }, [
      cookieOf(payment),
    ]);
    expect([status, await statusOf(payment.id)]).toEqual([503, 'processing']);
  });

  it('by a refund in the dashboard', async () => {
    const payment = await paid();
    await shop.notify(told(payment));
    const { cookies, token } = await browse(shop.api, localKey);
    const path = `/dashboard/payments/${payment.id}`;
    const page = await shop.api.call(`GET ${path}`, { cookies, key: null });
    const hidden = [...page.text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const form = { ...Object.fromEntries(hidden), token, scope: 'all', confirmed: '1999' };
    shop.fake.key = 'rk_test_ofthedashboard'; // it reads the key itself, and does not live on another function’s memory
    shop.parameters.values.set(names.key, shop.fake.key);
    const { status } = await postForm(shop.api, path, form, cookies);
    expect(status).toBe(303);
    expect(shop.fake.ledger().find(({ paymentId }) => paymentId === payment.id)).toMatchObject({
      paid: 1_999,
      refunded: 1_999,
    });
  });
});

describe('the Stripe API key', () => {
  it('is read again at once after it was changed at Stripe and in the parameter store', async () => {
    await shop.begin();
    shop.fake.key = 'rk_test_thenextone';
    shop.parameters.values.set(names.key, 'rk_test_thenextone');
    expect((await shop.begin()).reference).toMatch(/^cs_/);
  });

  it('is optional at the start while the parameter store is down, because the sweep tries again', async () => {
    vi.resetModules();
    process.env['AWS_ENDPOINT_URL_SSM'] = 'http://127.0.0.1:9';
    const { assertConnected } = await import('../../../shared/wiring/processor.ts');
    await expect(assertConnected()).resolves.toBeUndefined();
    process.env['AWS_ENDPOINT_URL_SSM'] = shop.parameters.url;
  });

  it.each([
    {
      fault: 'of the other mode',
      value: 'sk_live_ofsomeoneelse',
      says: 'is a live key (sk_live_…), but the sandbox stage needs a test key',
    },
    {
      fault: 'missing',
      value: undefined,
      says: 'The key of Stripe is not set: npm run processor -- set --merchant demo --stage sandbox.',
    },
  ])(
    'is refused with its parameter name when it is $fault, before any data is stored or sent',
    async ({ value, says }) => {
      clock.forward({ minutes: 6 });
      if (value === undefined) shop.parameters.values.delete(names.key);
      else shop.parameters.values.set(names.key, value);
      const calls = shop.fake.calls.length;
      const { status, text } = await shop.post();
      expect([status, shop.fake.calls.length]).toEqual([403, calls]);
      expect(text).toContain('Example Books does not accept payments yet. Nothing was charged.');
      expect(shop.api.log.join('\n')).toContain(says);
    },
  );
});

it('the log lines of all these tests contain no secret', () => {
  const log = shop.api.log.join('\n');
  expect(log).toContain('the processor has not answered');
  for (const secret of [
    shop.key,
    shopSigningSecret,
    'rk_test_another',
    'rk_test_thenextone',
    'whsec_thenextone',
    'sk_live_ofsomeoneelse',
  ])
    expect(log).not.toContain(secret);
});

describe('the test notification of an operator', () => {
  const probe = (merchantId: string) => ({
    id: 'cs_probe',
    client_reference_id: null,
    metadata: { probe_id: 'a-probe', merchant_id: merchantId },
  });
  const seen = () => throttles().seen(probeCounter('a-probe'), now());

  it('is counted in a row that expires, and only for its own shop', async () => {
    const body = (merchantId: string) => told({ id: 'none' }, { type: 'checkout.session.expired' }, probe(merchantId));
    expect((await shop.notify(body('another'))).status).toBe(200);
    expect(await seen()).toBe(0);
    expect((await shop.notify(body('demo'), signature(body('demo'), { secret: 'whsec_of_another' }))).status).toBe(401);
    expect(await seen()).toBe(0);
    expect((await shop.notify(body('demo'))).status).toBe(200);
    expect(await seen()).toBe(1);
    const { Items: rows = [] } = await table().client.send(new ScanCommand({ TableName: table().name }));
    const row = rows.find(({ pk }) => String(pk).includes('PROBE'));
    expect(row?.['ttl']).toBe(seconds() + 7_200);
  });
});

describe('a payment whose notification is lost', () => {
  const sweepAfter = async (ms: number) => {
    clock.forward({ milliseconds: ms });
    await invokeFunction('events/sweep-due', {});
  };

  it.each([
    { minutes: 2, before: 0 },
    { minutes: 5, before: 2 },
    { minutes: 15, before: 5 },
    { minutes: 60, before: 15 },
  ])('is found $minutes minutes after its start, if it was paid after minute $before', async ({ minutes, before }) => {
    const payment = await shop.begin();
    if (before > 0) await sweepAfter(before * 60_000);
    shop.payAt(String(payment.reference));
    await sweepAfter((minutes - before) * 60_000 - 1);
    expect(await statusOf(payment.id)).toBe('processing');
    await sweepAfter(1);
    expect(await statusOf(payment.id)).toBe('succeeded');
  });

  it('costs five requests in the two hours of the payment page, and none if it is reported in time', async () => {
    const open = await shop.begin();
    const reported = await paid();
    await shop.notify(told(reported));
    const asked = ({ reference }: Payment) =>
      shop.fake.calls.filter(({ method, path }) => method === 'GET' && path === `checkout/sessions/${reference}`)
        .length;
    const inTime = asked(reported);
    for (let minute = 1; minute <= 125; minute += 1) await sweepAfter(60_000);
    expect([asked(open), asked(reported)]).toEqual([5, inTime]);
    expect(await statusOf(open.id)).toBe('cancelled');
  });
});
