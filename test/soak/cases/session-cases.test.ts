import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { payments, sessions } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { admitGuardScript } from '../../support/faults/guards.ts';
import { remoteProcessor, useProcessor } from '../../support/faults/remote-processor.ts';
import { tally, times } from '../../support/seeded.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment, finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, sell } from '../../support/shop/shop.ts';

let api: Api;
let productId: string;
beforeAll(async () => {
  api = await startApi();
  admitGuardScript();
  productId = await addProduct(api);
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const newSession = (product = productId) => createSession(api, [{ product_id: product, quantity: 1 }]);
const paymentOf = (id: string) => payments().get(id);
const sessionOf = (id: string) => sessions().get(id);

/** What the buyer's browser posts from the page of a session. */
async function payOnPage(sessionId: string, card: string = cards.good): Promise<ApiAnswer> {
  const { formToken } = await sessionOf(sessionId);
  const buyer = { email: 'buyer@example.com', name: 'A Buyer', country: 'DE' };
  const form = { token: formToken, expected_total: '1999', card, ...buyer };
  return api.call(`POST /checkout/${sessionId}/pay`, {
    raw: Buffer.from(new URLSearchParams(form).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    key: null,
  });
}

describe('checkouts that failed in other products', () => {
  it('become one payment and one event when processor and browser complete a cart at the same time (medusa#13301, #2341; mercurjs/mercur#1400)', async () => {
    for (const _ of times(10)) {
      const sessionId = await newSession();
      const { id } = await pay(sessionId, { expectedTotal: 1_999, card: cards.slowSuccess });
      const late = () =>
        pay(sessionId, { expectedTotal: 1_999 }).then(
          () => 'paid again',
          ({ code }) => code,
        );
      const outcomes = await Promise.all([finishPayment(id), late(), finishPayment(id), late(), finishPayment(id)]);
      expect(outcomes.filter(Boolean)).toEqual(['CHECKOUT_SESSION_CONSUMED', 'CHECKOUT_SESSION_CONSUMED']);
      expect(await paymentOf(id)).toMatchObject({ status: 'succeeded', events: 2 });
      expect(await sessionOf(sessionId)).toMatchObject({ status: 'completed', attempts: 1 });
    }
  });

  it('answer 409 to a second tab with an old cart, and to a second submit: there is one payment (shopware/shopware#19943, #20097; openfoodnetwork#2690)', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const sessionId = await newSession();
    await pay(sessionId, { expectedTotal: 1_999 });
    clock.forward({ milliseconds: 1_000 });
    const error = await pay(sessionId, { expectedTotal: 1_999 }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
  });

  it('lead a buyer whose request came second to the receipt of the first, not to an error (ps_checkout#1546)', async () => {
    const sessionId = await newSession();
    const answers = await Promise.all(times(8).map(() => payOnPage(sessionId)));
    const ends = tally(answers.map(({ status, headers }) => `${status} ${headers['location']}`));
    expect(Object.keys(ends)).toHaveLength(1);
    expect(Object.keys(ends)[0]).toMatch(new RegExp(`^303 .*/checkout/${sessionId}[?]lang=en$`));
    const receipt = await api.call(`GET /checkout/${sessionId}`, { key: null });
    expect(receipt.status).toBe(200);
    expect((await sessionOf(sessionId)).status).toBe('completed');
    expect((await payOnPage(sessionId)).status).toBe(303);
  });

  it('charge what the session showed, even if the product’s price changes or it is archived before (PrestaShop#9478, #11507; snowgum#382; polarsource/polar#4621)', async () => {
    const product = await addProduct(api);
    const sessionId = await newSession(product);
    const { id } = await pay(sessionId, { expectedTotal: 1_999, card: cards.slowSuccess });
    await api.call(`PATCH /products/${product}`, { body: { price: { ...fieldGuide.price, price: 9_999 } } });
    await api.call(`DELETE /products/${product}`);
    await finishPayment(id);
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded', gross: 1_999 });
  });

  it('keep the currency of the amount after the product’s currency changed (gumroad#6883)', async () => {
    const product = await addProduct(api);
    const sessionId = await newSession(product);
    await api.call(`PATCH /products/${product}`, { body: { price: { ...fieldGuide.price, currency: 'JPY' } } });
    expect(await pay(sessionId, { expectedTotal: 1_999 })).toMatchObject({ currency: 'EUR', gross: 1_999 });
  });

  it('charge the total that was shown, or show the new one, when the tax changes before the charge (gumroad#7531)', async () => {
    const exclusive = await addProduct(api, {
      price: { ...fieldGuide.price, price: 1_000, tax_inclusive: false },
      tax_category: 'saas',
    });
    const sessionId = await newSession(exclusive);
    const stale = pay(sessionId, { expectedTotal: 1_200 });
    await expect(stale).rejects.toMatchObject({ code: 'CONFLICT', details: { extra: { total_amount: 1_190 } } });
    expect(await pay(sessionId, { expectedTotal: 1_190 })).toMatchObject({ gross: 1_190, tax: 190 });
  });

  it('record a payment that succeeds after the session expired; expiry only prevents new charges (coreshop#2529; fossunited PR#1698; woocommerce-gateway-stripe PR#5810; AI-Shipping-Labs#1423; ai-shifu PR#2850)', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const sessionId = await newSession();
    const { id } = await pay(sessionId, { expectedTotal: 1_999, card: cards.slowSuccess });
    clock.forward({ days: 3 });
    const { body } = await api.call(`GET /checkout-sessions/${sessionId}`);
    expect(body).toMatchObject({ status: 'open', payment_status: 'processing' });
    await finishPayment(id);
    expect(await sessionOf(sessionId)).toMatchObject({
      status: 'completed',
      paymentId: id,
      paymentStatus: 'succeeded',
    });
  });

  it('record the country of the buyer’s network without an effect on the sale (itchio/itch#1128; be-BOP#822; AyeCode/invoicing#480)', async () => {
    const payment = await pay(await newSession(), { expectedTotal: 1_999, ipCountry: 'US' });
    expect(payment).toMatchObject({ status: 'succeeded', tax: 131, calculation: { country: 'DE' } });
    expect(payment.evidence.items.map(({ type, country }) => `${type} ${country}`)).toEqual([
      'billing_address DE',
      'ip US',
    ]);
  });

  it('accept a result once, though the processor sends it twice, or twenty times at once (woocommerce-gateway-stripe#3326, #2331, #2463, #3414, #3327; pinelab-vendure-plugins#620; woocommerce-payments#3783; Cara#2753; memories#396; Cogtrix#125)', async () => {
    const sessionId = await newSession();
    const { id } = await pay(sessionId, { expectedTotal: 1_999, card: cards.slowDecline });
    await Promise.all(times(20).map(() => finishPayment(id)));
    expect(await paymentOf(id)).toMatchObject({ status: 'failed', events: 2 });
    const paid = await sell(api, { card: cards.slowRefunds });
    const { body } = await api.call('POST /refunds', { body: { payment_id: paid.paymentId, amount: 500 } });
    await Promise.all(times(20).map(() => finishRefund(body.refund_id)));
    expect(await paymentOf(paid.paymentId)).toMatchObject({ refunded: 500, pending: 0, events: 2 });
  });

  it('find the result of a charge whose answer was lost, and do not charge again (darshanturakhia.com)', async () => {
    const processor = remoteProcessor();
    const restore = useProcessor(processor);
    processor.around = async (call) => {
      await call();
      throw new Error('The answer was lost.');
    };
    const sessionId = await newSession();
    const { id, status } = await pay(sessionId, { expectedTotal: 1_999 });
    expect(status).toBe('processing');
    const again = pay(sessionId, { expectedTotal: 1_999 });
    await expect(again).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    processor.around = (call) => call();
    await finishPayment(id);
    restore();
    expect([...processor.charged.values()]).toEqual([{ amount: 1_999, status: 'succeeded' }]);
    expect(await sessionOf(sessionId)).toMatchObject({ status: 'completed', paymentId: id });
  });
});
