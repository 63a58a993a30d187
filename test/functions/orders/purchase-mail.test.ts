import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'orders-'));
let api: Api;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const anyone = { key: null, headers: { 'accept-language': 'en' } };

/** Lets the worker document a payment or refund, and reads the mails that it sends. */
async function mailsOf(type: string, subject: { payment_id: string; data: object }): Promise<string[]> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${subject.payment_id}` })).body;
  const event = items.find((one: { type: string }) => one.type === type);
  const before = new Set(readdirSync(mails));
  await invokeFunction('documents/issue-documents', {
    'detail-type': type,
    detail: { event_id: event.event_id, ...subject },
  });
  const sent = readdirSync(mails).filter((one) => !before.has(one));
  return sent.map((name) => {
    const [, text = ''] =
      /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(readFileSync(join(mails, name), 'utf8')) ?? [];
    return Buffer.from(text, 'base64').toString();
  });
}

const purchaseMails = (payment_id: string) => mailsOf('payment.succeeded', { payment_id, data: {} });
const firstLink = (text = '') => new URL(/http\S+/.exec(text)?.[0] ?? '');

describe('the mail of a purchase', () => {
  it('has the order page as its first link, and the link works', async () => {
    const { paymentId } = await sell(api);
    const [mail, ...others] = await purchaseMails(paymentId);
    expect(others).toEqual([]);
    const { pathname, search } = firstLink(mail);
    expect(pathname).toBe(`/orders/${paymentId}`);
    const opened = await api.call(`GET ${pathname}`, { ...anyone, query: search.slice(1) });
    expect([opened.status, opened.headers['location']]).toEqual([303, `/orders/${paymentId}?lang=en`]);
  });

  it('is sent once, even if the event arrives several times', async () => {
    const { paymentId } = await sell(api);
    expect(await purchaseMails(paymentId)).toHaveLength(1);
    expect(await purchaseMails(paymentId)).toHaveLength(0);
  });

  it('is also sent if the shop redirects its buyers after the payment', async () => {
    const product = await addProduct(api);
    const session = await createSession(api, [{ product_id: product, quantity: 1 }], {
      return_url: 'https://shop.example/done',
    });
    const { id } = await pay(session, { expectedTotal: 1_999 });
    expect(firstLink((await purchaseMails(id))[0]).pathname).toBe(`/orders/${id}`);
  });

  it('is the only mail with the order’s link, because a refund’s mail links to the credit note', async () => {
    const { paymentId } = await sell(api);
    await purchaseMails(paymentId);
    const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 100 } });
    const [mail] = await mailsOf('refund.succeeded', { payment_id: paymentId, data: { refund_id: body.refund_id } });
    expect(mail).toContain('/invoices/refunds/');
    expect(mail).not.toContain('/orders/');
  });
});

describe('the receipt', () => {
  it('links to the order page only in the browser that paid', async () => {
    const product = await addProduct(api);
    const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
    const { id, documentSecret } = await pay(session, { expectedTotal: 1_999 });
    const receipt = async (cookies: string[]) =>
      (await api.call(`GET /checkout/${session}`, { ...anyone, cookies })).text.replaceAll('&amp;', '&');
    const url = await orderUrlOf({ id });
    const own = await receipt([`buyer=${id}.${documentSecret}`]);
    expect(own).toContain(`<a class="pay" href="${url}&lang=en">`);
    expect(own).not.toContain('Keep this link');
    const other = await receipt([]);
    expect(other).toContain('Thank you');
    expect(other).not.toContain(`/orders/${id}`);
  });
});
