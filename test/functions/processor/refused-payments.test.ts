import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { clock } from '../../support/clock.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop.stop());
afterEach(() => {
  Object.assign(shop.fake.account.profile, { chargesEnabled: true, businessName: 'A Shop', currencies: undefined });
  shop.fake.account.profile.methods = ['card'];
  shop.fake.account.rights = undefined;
  shop.fake.key = shop.key;
  shop.fake.fate = () => 'answered';
  clock.run();
});

const logFrom = (from: number) => shop.api.log.slice(from).map((line) => JSON.parse(line));
const alertsIn = (lines: readonly Record<string, unknown>[]) =>
  lines.filter(({ alert }) => alert === 'processor-refuses');
const begun = () =>
  shop.fake.calls.filter(({ method, path }) => method === 'POST' && path === 'checkout/sessions').length;

const lacking = [
  {
    lack: 'business name',
    make: () => Object.assign(shop.fake.account.profile, { businessName: null }),
    says: 'you must set an account or business name',
  },
  {
    lack: 'activation',
    make: () => Object.assign(shop.fake.account.profile, { chargesEnabled: false }),
    says: 'cannot currently make live charges',
  },
  {
    lack: 'payment method',
    make: () => Object.assign(shop.fake.account.profile, { methods: [] }),
    says: 'No valid payment method types',
  },
  {
    lack: 'currency',
    make: () => Object.assign(shop.fake.account.profile, { currencies: new Set(['usd']) }),
    says: 'cannot charge in eur',
  },
  {
    lack: 'valid key',
    make: () => Object.assign(shop.fake, { key: 'rk_test_revoked' }),
    says: 'Invalid API Key provided',
  },
  {
    lack: 'right',
    make: () => Object.assign(shop.fake.account, { rights: new Set() }),
    says: 'rak_checkout_session_write',
  },
];

describe('an incomplete Stripe account', () => {
  it.each(lacking)(
    'that lacks its $lack lets the buyer try again at once, and the buyer reads that nothing was charged',
    async ({ make }) => {
      make();
      const { sessionId, answer } = await shop.fill();
      const page = await answer();
      expect(page.status).toBe(422);
      expect(page.text).toContain('The shop cannot take payments at the moment. Nothing was charged');
      expect(page.text).not.toContain('being processed');
      const refused = await shop.paymentOf(sessionId);
      expect(refused).toMatchObject({ status: 'failed', reference: null, errorCode: 'INVALID_REQUEST' });
      expect(begun()).toBeGreaterThan(0);
    },
  );

  it.each(lacking)(
    'that lacks its $lack is reported at the first refusal in log, alarm and payment, with Stripe’s message',
    async ({ make, says }) => {
      make();
      const from = shop.api.log.length;
      const { sessionId, answer } = await shop.fill();
      await answer();
      const lines = logFrom(from);
      const { id } = await shop.paymentOf(sessionId);
      expect(alertsIn(lines)).toMatchObject([
        { payment_id: id, reason: expect.stringContaining(says), processor_request_id: expect.stringMatching(/^req_/) },
      ]);
      expect(lines.filter((line) => 'MoneyAlerts' in line)).toHaveLength(1);
      const { cookies } = await browse(shop.api, localKey);
      const shown = (await shop.api.call(`GET /dashboard/payments/${id}`, { cookies, key: null })).text;
      expect(shown.replaceAll('&#39;', "'")).toContain(says);
      expect(shown).toMatch(/<code>[^<]*req_/);
    },
  );

  it('reveals no message of Stripe to programs and buyers', async () => {
    Object.assign(shop.fake.account, { rights: new Set() });
    const { sessionId, answer } = await shop.fill();
    const texts = [(await answer()).text, (await shop.api.call(`GET /checkout/${sessionId}`, { key: null })).text];
    const { id } = await shop.paymentOf(sessionId);
    texts.push((await shop.api.call(`GET /payments/${id}`)).text);
    for (const text of texts) expect(text).not.toMatch(/rak_|required permissions|req_/);
  });

  it('can be completed while the buyer’s form is open, and the next click starts a new payment with a new key', async () => {
    Object.assign(shop.fake.account.profile, { businessName: null });
    const { sessionId, answer } = await shop.fill();
    await answer();
    const refused = await shop.paymentOf(sessionId);
    shop.fake.account.profile.businessName = 'A Shop';
    expect((await answer()).status).toBe(303);
    const next = await shop.paymentOf(sessionId);
    expect(next.id).not.toBe(refused.id);
    expect(next.reference).toMatch(/^cs_/);
    expect(shop.fake.calls.at(-1)?.idempotencyKey).toBe(next.id);
  });
});

describe('an e-mail address that Stripe does not accept', () => {
  it('is corrected by the buyer, and raises no alarm', async () => {
    const from = shop.api.log.length;
    const { sessionId, answer } = await shop.fill({ email: 'refused@buyer.example' });
    const page = await answer();
    expect(page.status).toBe(422);
    expect(page.text).toContain('The e-mail address was not accepted. Nothing was charged');
    expect(page.text).toMatch(/id="email"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="email"/);
    expect(alertsIn(logFrom(from))).toEqual([]);
    expect(shop.api.log.slice(from).join('\n')).not.toContain('refused@');
    const { id, errorCode, refusal } = await shop.paymentOf(sessionId);
    expect([errorCode, refusal?.code, refusal?.param]).toEqual(['INVALID_EMAIL', 'email_invalid', 'customer_email']);
    const { cookies } = await browse(shop.api, localKey);
    expect((await shop.api.call(`GET /dashboard/payments/${id}`, { cookies, key: null })).text).toContain(
      'email_invalid',
    );
    const again = await shop.fill({ email: 'a.buyer@example.com' });
    expect((await again.answer()).status).toBe(303);
  });
});

describe('a refusal that does not prove that nothing was charged', () => {
  it('leaves the payment open if an earlier request may have created it, and the buyer pays once', async () => {
    const { sessionId, answer } = await shop.fill();
    let calls = 0;
    shop.fake.fate = ({ method }) => {
      calls += method === 'POST' ? 1 : 0;
      if (calls > 1) shop.fake.key = 'rk_test_revoked';
      return calls === 1 ? 'answer-lost' : 'answered';
    };
    await answer();
    const waiting = await shop.paymentOf(sessionId);
    expect(waiting).toMatchObject({ status: 'processing', reference: null });
    shop.fake.fate = () => 'answered';
    shop.fake.key = shop.key;
    clock.forward({ minutes: 1 });
    await invokeFunction('events/sweep-due', {});
    const open = await shop.paymentOf(sessionId);
    expect([open.id, open.status]).toEqual([waiting.id, 'processing']);
    expect(open.payAt?.url).toContain(String(open.reference));
    expect(
      [...shop.fake.account.sessions.values()].filter(({ client_reference_id: id }) => id === open.id),
    ).toHaveLength(1);
  });

  it('leaves the payment open after a server error, until it is absent from two lists after its expiry', async () => {
    const { sessionId, answer } = await shop.fill();
    shop.fake.fate = ({ method }) => (method === 'POST' ? 'broken' : 'answered');
    await answer();
    shop.fake.fate = () => 'answered';
    const { id } = await shop.paymentOf(sessionId);
    clock.forward({ minutes: 118 });
    await invokeFunction('events/sweep-due', {});
    expect((await shop.paymentOf(sessionId)).status).toBe('processing');
    clock.forward({ minutes: 60 });
    const from = shop.fake.calls.length;
    await invokeFunction('events/sweep-due', {});
    const lists = shop.fake.calls
      .slice(from)
      .filter(({ method, path }) => `${method} ${path}` === 'GET checkout/sessions');
    expect(lists).toHaveLength(2);
    expect(await shop.paymentOf(sessionId)).toMatchObject({ id, status: 'failed', errorCode: 'ORDER_CREATION_FAILED' });
    expect((await answer()).status).toBe(303);
    const next = await shop.paymentOf(sessionId);
    expect([next.id === id, next.reference]).toEqual([false, expect.stringMatching(/^cs_/)]);
  });
});
