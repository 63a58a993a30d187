import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { payments, sessions } from '../../../shared/wiring/runtime.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { addProduct, createSession, goodCard } from '../../support/shop/shop.ts';

describeWith020('A consumer’s request for immediate supply, while version 0.2.0 runs beside this one', () => {
  let api: Api;
  let before: Release;
  let book: string;
  beforeAll(async () => {
    api = await startApi({
      ...testMerchant,
      consents: ['terms', 'withdrawal'],
      receipts: { from: 'receipts@example.com' },
    });
    before = await open020(api);
    book = await addProduct(api, { tax_category: 'e_book' });
  });
  afterAll(() => api.stop());

  type Version = Pick<Api, 'call'>;
  const open = (fields: object = {}) => createSession(api, [{ product_id: book, quantity: 1 }], fields);
  const paymentOf = async (id: string): Promise<Payment> =>
    payments().get((await sessions().get(id)).paymentId as string);

  async function post({ call }: Version, id: string, action: 'quote' | 'pay', fields: Record<string, string>) {
    const { formToken: token } = await sessions().get(id);
    const whole = { email: 'ada@example.com', name: 'Ada', card: goodCard, country: 'DE', token, ...fields };
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const raw = Buffer.from(new URLSearchParams(whole).toString());
    return call(`POST /checkout/${id}/${action}`, { key: null, query: 'lang=en', headers, raw });
  }

  /** Ticks every box of the page that one version shows, and pays in another. */
  async function payAcross(shows: Version, takes: Version, id: string) {
    const { text } = await post(shows, id, 'quote', {});
    const boxes = [...text.matchAll(/name="(consent\.\w+)"/g)].map(([, name = '']) => name);
    const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    const ticked = Object.fromEntries(boxes.map((name) => [name, 'yes']));
    const { status } = await post(takes, id, 'pay', { ...fields, ...ticked });
    return { boxes, status };
  }

  it('is not stored from an open page of 0.2.0, which can still be paid', async () => {
    const id = await open();
    const { boxes, status } = await payAcross(before, api, id);
    expect([boxes, status]).toEqual([['consent.terms', 'consent.withdrawal'], 303]);
    const payment = await paymentOf(id);
    expect(payment.consents?.map(({ kind }) => kind)).toEqual(['terms']);
    expect(payment.supplyConsents).toBeUndefined();
  });

  it('is not stored by 0.2.0 from a page of this version, so the right of withdrawal remains', async () => {
    const id = await open();
    const { boxes, status } = await payAcross(api, before, id);
    expect(boxes).toEqual(['consent.terms', 'consent.immediate_supply']);
    // 0.2.0 asks for its own waiver, which this version does not know any more
    expect([status, (await sessions().get(id)).attempts]).toEqual([422, 0]);
    expect((await payAcross(before, before, id)).status).toBe(303);
    expect((await paymentOf(id)).supplyConsents).toBeUndefined();
  });

  it('is part of a payment that 0.2.0 can read and partly refund', async () => {
    const id = await open();
    expect((await payAcross(api, api, id)).status).toBe(303);
    const { id: paymentId, supplyConsents } = await paymentOf(id);
    expect(supplyConsents).toHaveLength(1);
    const { status, body } = await before.call(`GET /payments/${paymentId}`);
    expect([status, body.payment_id]).toEqual([200, paymentId]);
    const items = [{ item_id: book, amount: 100, tax_inclusive: true }];
    expect((await before.call('POST /refunds', { body: { payment_id: paymentId, items } })).status).toBe(200);
    // 0.2.0 writes the row without what it does not know, so the right stays
    const after = await api.call(`GET /payments/${paymentId}`);
    expect([after.status, after.body.withdrawal]).toMatchObject([200, { right: 'kept', consents: [] }]);
  });

  it('is shown on the page if 0.2.0 has dropped the setting that the integrator shows it', async () => {
    const id = await open({ consents_by: 'integrator' });
    const boxesOf = async () => (await post(api, id, 'quote', {})).text.match(/name="consent\.immediate_supply"/g);
    expect(await boxesOf()).toBeNull();
    const session = await sessions().get(id);
    await sessions().save({ ...session, consentsBy: undefined });
    expect(await boxesOf()).toHaveLength(1);
  });
});
