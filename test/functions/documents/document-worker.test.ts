import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { wrapEvent } from '../../../infra/local-aws/bus/event-envelope.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { addProduct, createSession, sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
const mails = mkdtempSync(join(tmpdir(), 'mails-'));

beforeAll(async () => {
  process.env['MAIL_FOLDER'] = mails;
  api = await startApi({ ...testMerchant, taxId: 'DE123456788', address: ['Musterstraße 1', '10115 Berlin'] });
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const anyone = { key: null } as const;
/** By somebody with a key, as the dialect's library does. */
const accepting = (accept: string) => ({ headers: { accept } });

const invoiceOf = (paymentId: string, accept = 'application/json') =>
  api.call(`GET /invoices/payments/${paymentId}`, accepting(accept));

const creditNoteOf = (refundId: string, accept = 'application/json') =>
  api.call(`GET /invoices/refunds/${refundId}`, accepting(accept));

async function refund(paymentId: string, fields: object = {}): Promise<string> {
  const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId, ...fields } });
  return body.refund_id;
}

/** What the bus hands to the worker. */
const published = (type: string, paymentId: string, data: object = {}) =>
  wrapEvent({
    source: 'tillstack',
    detailType: type,
    detail: { event_id: 'evt_1', payment_id: paymentId, type, data },
  });

const work = (event: unknown) => invokeFunction('documents/issue-documents', event);

describe('the worker that issues documents', () => {
  it('issues and mails the invoice of a successful payment once, when its event arrives many times', async () => {
    const { paymentId } = await sell(api);
    const before = readdirSync(mails).length;
    for (let times = 0; times < 3; times += 1) await work(published('payment.succeeded', paymentId));
    const { body: invoice } = await invoiceOf(paymentId);
    const files = readdirSync(mails).slice(before);
    expect(files).toHaveLength(1);
    const mail = readFileSync(join(mails, files[0] ?? ''), 'utf8');
    const [, text = ''] = /text\/plain[^\r\n]*\r\n[^\r\n]+\r\n\r\n([\s\S]+?)\r\n--/.exec(mail) ?? [];
    const body = Buffer.from(text, 'base64').toString();
    expect(mail).toContain('To: buyer@example.com');
    expect(body).toMatch(
      new RegExp(`http://localhost:4000/invoices/payments/${paymentId}\\?secret=doc_\\w{21}&format=pdf&lang=en`),
    );
    expect(body).toContain(invoice.number);
    expect(body).toContain('€19.99');
  });

  it.each([
    { language: 'de', lang: 'de', subject: 'Ihre Rechnung' },
    { language: 'ja', lang: 'ja', subject: '' },
    { language: 'tlh', lang: 'en', subject: 'Your invoice' },
    { language: null, lang: 'en', subject: 'Your invoice' },
  ])('writes to a buyer with page language $language in the language $lang', async ({ language, lang, subject }) => {
    const { paymentId } = await sell(api, { language });
    const before = readdirSync(mails).length;
    await work(published('payment.succeeded', paymentId));
    const mail = readFileSync(join(mails, readdirSync(mails)[before] ?? ''), 'utf8');
    const [, encoded = ''] = /text\/plain[^\r\n]*\r\n[^\r\n]+\r\n\r\n([\s\S]+?)\r\n--/.exec(mail) ?? [];
    expect(Buffer.from(encoded, 'base64').toString()).toContain(`&lang=${lang}`);
    const words = [...mail.matchAll(/=\?UTF-8\?B\?([\w+/=]*)\?=/g)].map(([, word = '']) => Buffer.from(word, 'base64'));
    expect(Buffer.concat(words).toString()).toContain(subject);
  });

  it('writes the merchant’s own words to buyers of their language, and to no others', async () => {
    const { brands } = await import('../../../shared/wiring/runtime.ts');
    const words = { version: 0, purchase: { greeting: 'Servus {product}!' } };
    await brands().saveMailWords(
      { language: 'de', words, brands: { ...(await brands().get()), wordedIn: ['de'] } },
      [],
    );
    const texts = [];
    for (const language of ['de', 'fr']) {
      const { paymentId } = await sell(api, { language });
      const before = readdirSync(mails).length;
      await work(published('payment.succeeded', paymentId));
      const mail = readFileSync(join(mails, readdirSync(mails)[before] ?? ''), 'utf8');
      const [, encoded = ''] = /text\/plain[^\r\n]*\r\n[^\r\n]+\r\n\r\n([\s\S]+?)\r\n--/.exec(mail) ?? [];
      texts.push(Buffer.from(encoded, 'base64').toString());
    }
    expect(texts).toEqual([expect.stringMatching(/^Servus .+!\n\n/), expect.stringMatching(/^Merci/)]);
  });

  it('stores the language of the page where the buyer paid', async () => {
    const id = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    const page = (await api.call(`GET /checkout/${id}`, anyone)).text;
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(page) ?? [];
    const buyer = { email: 'buyer@example.com', name: 'A Buyer', country: 'FR', card: cards.good };
    const form = new URLSearchParams({ token, expected_total: '1999', ...buyer });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const raw = Buffer.from(form.toString());
    expect((await api.call(`POST /checkout/${id}/pay`, { query: 'lang=fr', raw, headers, ...anyone })).status).toBe(
      303,
    );
    const { body } = await api.call(`GET /checkouts/${id}`);
    const { payments } = await import('../../../shared/wiring/runtime.ts');
    expect((await payments().get(body.payment_id)).language).toBe('fr');
  });

  it('issues and mails the credit note of a refund, and first the missing invoice', async () => {
    const { paymentId } = await sell(api);
    const refundId = await refund(paymentId);
    const before = readdirSync(mails).length;
    await work(published('refund.succeeded', paymentId, { refund_id: refundId }));
    expect(readdirSync(mails)).toHaveLength(before + 1);
    const { body: note } = await creditNoteOf(refundId);
    const { body: invoice } = await invoiceOf(paymentId);
    expect(note.corrects.number).toBe(invoice.number);
  });

  it.each([
    ['payment.failed', 'pay_nobodynobodynobodynob'],
    ['payment.succeeded', 'pay_SampleSampleSampleSam'],
  ])('ignores the event %s of %s, because no document belongs to it', async (type, paymentId) => {
    await work(published(type, paymentId));
    expectProblem(await invoiceOf(paymentId), 404, 'NOT_FOUND');
  });

  it('issues a whole batch of queue messages together, and reports the one unreadable message', async () => {
    const sales = await Promise.all(Array.from({ length: 5 }, () => sell(api)));
    const records = sales.map(({ paymentId }, index) => ({
      messageId: `message-${index}`,
      body: JSON.stringify(published('payment.succeeded', paymentId)),
    }));
    const broken = { messageId: 'broken', body: '{"detail-type": 1}' };
    expect(await work({ Records: [...records, records[0], broken] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'broken' }],
    });
    const invoices = await Promise.all(sales.map(({ paymentId }) => invoiceOf(paymentId)));
    expect(new Set(invoices.map(({ body }) => body.number)).size).toBe(5);
  });

  it('logs ids and numbers, but no buyer’s name or e-mail address', () => {
    expect(api.log.filter((line) => line.includes('"document"')).length).toBeGreaterThan(0);
    expect(api.log.join('\n')).not.toMatch(/@example\.com|A Buyer/);
  });
});

describe('fifty simultaneous requests for documents', () => {
  it('get fifty different numbers without a gap', async () => {
    const sales = await Promise.all(Array.from({ length: 50 }, () => sell(api)));
    const invoices = await Promise.all(sales.map(({ paymentId }) => invoiceOf(paymentId)));
    expect(invoices.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(invoices.map(({ body }) => body.serial)).size).toBe(50);
    const { body } = await api.call('GET /invoices/audit', { query: `series=${invoices[0]?.body.series}` });
    expect(body).toMatchObject({
      gaps: [],
      is_continuous: true,
      counter: Math.max(...invoices.map(({ body: { serial } }) => serial)),
    });
  });
});
