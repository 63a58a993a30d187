import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { erasedPayment } from '../../../shared/domain/customers/erasure.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { now, payments } from '../../../shared/wiring/runtime.ts';
import { taxIdUrl } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { sweep } from '../../support/shop/settle.ts';
import { sell } from '../../support/shop/shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'tax-ids-'));
let api: Api;
let registers: FakeRegisters;
beforeAll(async () => {
  registers = await startFakeRegisters();
  const merchant = Merchant.parse({ ...testMerchant, taxId: 'DE136695976' });
  api = await startApi(merchant, { REGISTER_URL: registers.url, MAIL_FOLDER: mails });
});
afterAll(async () => {
  await api.stop();
  await registers.stop();
  rmSync(mails, { recursive: true });
});
beforeEach(() => {
  registers.behave = () => 'valid';
  registers.nameOf = () => 'EXEMPLE SARL';
});
afterEach(() => clock.run());

const french = { billing: { country: 'FR', state: null, city: null, street: null, zipcode: null } };
const german = { billing: { ...french.billing, country: 'DE' } };

/** The page of a link, without a script and without a cookie. */
async function linkOf(paymentId: string) {
  const { pathname, searchParams } = new URL(await taxIdUrl(paymentId));
  const token = searchParams.get('token') ?? '';
  const common = { key: null, headers: { 'accept-language': 'en' } };
  return {
    token,
    open: (query = `token=${token}`) => api.call(`GET ${pathname}`, { ...common, query }),
    send: (fields: Record<string, string>, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
      api.call(`POST ${pathname}`, {
        ...common,
        headers: { ...common.headers, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        raw: Buffer.from(new URLSearchParams({ token, ...fields }).toString()),
      }),
  };
}

const own = { tax_id: 'FR83404833048', business_name: 'Exemple' };

/** Lets the worker issue the invoice of a payment and mail it, and reads the mail. */
async function mailOf(paymentId: string): Promise<string> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const detail = { event_id: items[0].event_id, payment_id: paymentId, data: {} };
  const before = new Set(readdirSync(mails));
  await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
  const [name = ''] = readdirSync(mails).filter((one) => !before.has(one));
  const [, text = ''] = /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(readFileSync(join(mails, name), 'utf8')) ?? [];
  return Buffer.from(text, 'base64').toString();
}

describe('the link to add a tax id in the mail of an invoice', () => {
  it('opens a form, and the sweep corrects the invoice with the tax id that the buyer sends', async () => {
    const { paymentId } = await sell(api, german);
    registers.nameOf = () => 'Beispiel GmbH';
    const [, token = ''] = /\/tax-id\?token=([\w.-]+)/.exec(await mailOf(paymentId)) ?? [];
    const link = await linkOf(paymentId);
    expect((await link.open(`token=${token}`)).status).toBe(200);
    await link.send({ token, tax_id: 'DE129273398', business_name: 'Beispiel' });
    await invokeFunction('events/sweep-due', {});
    expect((await payments().get(paymentId)).correction?.status).toBe('made');
  });

  it('is missing in the mail of an invoice that already has a tax id', async () => {
    const { paymentId } = await sell(api, { ...german, taxId: 'DE129273398', businessName: 'Beispiel' });
    const mail = await mailOf(paymentId);
    expect(mail).toContain('format=pdf');
    expect(mail).not.toContain('/tax-id?');
  });

  it('opens a form, and accepts one tax id', async () => {
    const { paymentId } = await sell(api, french);
    const link = await linkOf(paymentId);
    const { status, text, headers } = await link.open();
    expect([status, headers['content-security-policy']]).toEqual([200, expect.stringContaining("form-action 'self'")]);
    expect(text).toContain('Add your tax ID to the invoice');
    const sent = await link.send(own);
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('Your tax ID is confirmed.')]);
    expect((await link.send(own)).status).toBe(410);
    expect((await link.open()).status).toBe(410);
    expect((await payments().get(paymentId)).correction).toMatchObject({
      status: 'proposed',
      cause: 'buyer',
      businessName: 'Exemple',
      taxId: { id: 'FR83404833048', status: 'valid', checks: [{ register: 'sandbox', verdict: 'valid' }] },
    });
  });

  it('accepts no tax id after the buyer’s data was erased', async () => {
    const { paymentId } = await sell(api, french);
    const link = await linkOf(paymentId);
    await payments().save(erasedPayment(await payments().get(paymentId), now().toISOString()));
    expect([(await link.open()).status, (await link.send(own)).status]).toEqual([410, 410]);
    expect((await payments().get(paymentId)).correction).toBeUndefined();
  });

  it('follows the rule for late register answers: the merchant decides when tax would be removed', async () => {
    const { paymentId } = await sell(api, french);
    await (await linkOf(paymentId)).send(own);
    await sweep();
    expect((await payments().get(paymentId)).correction?.status).toBe('proposed');
    const { cookies } = await browse(api, localKey);
    const { text } = await api.call(`GET /dashboard/payments/${paymentId}`, { cookies, key: null });
    expect(text).toContain('The buyer gave a tax id after the sale.');
  });

  it('corrects the invoice at once when no tax changes, and the new invoice shows the tax id', async () => {
    const { paymentId } = await sell(api, german);
    registers.nameOf = () => 'Beispiel GmbH';
    await (await linkOf(paymentId)).send({ tax_id: 'DE129273398', business_name: 'Beispiel' });
    await sweep();
    const { correction, refundable, gross } = await payments().get(paymentId);
    expect([correction?.status, refundable]).toEqual(['made', gross]);
    const { body } = await api.call(`GET /invoices/refunds/${correction?.refundId}`, {
      query: 'format=json&corrected=true',
    });
    // 19.99 with 7 % inside
    expect(body).toMatchObject({ net_amount: 1_868, tax: 131, total_amount: 1_999 });
    expect(body.buyer.tax_id.id).toBe('DE129273398');
  });

  it('leads to a proposal for the merchant when the register has another business name', async () => {
    const { paymentId } = await sell(api, german);
    await (await linkOf(paymentId)).send({ tax_id: 'DE129273398', business_name: 'Somebody Else' });
    await sweep();
    expect((await payments().get(paymentId)).correction).toMatchObject({ status: 'proposed', isNamed: false });
  });

  it('stays valid while the register gives no answer or the tax id is wrong, and says which is the case', async () => {
    const { paymentId } = await sell(api, french);
    const link = await linkOf(paymentId);
    registers.behave = () => 'MS_UNAVAILABLE';
    const unanswered = await link.send(own);
    expect([unanswered.status, unanswered.text]).toEqual([503, expect.stringContaining('Try again later')]);
    const wrong = await link.send({ ...own, tax_id: 'FR00000000000' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('not a valid tax ID of France')]);
    expect((await link.send({ ...own, business_name: '' })).status).toBe(422);
    registers.behave = () => 'valid';
    expect((await link.send(own)).status).toBe(200);
  });

  it('accepts one tax id when many are sent at the same time', async () => {
    const { paymentId } = await sell(api, french);
    const link = await linkOf(paymentId);
    const sent = await Promise.all([1, 2, 3].map(() => link.send(own)));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  });

  it('is refused after thirty days, for another payment, when altered, or from another site', async () => {
    const [{ paymentId }, other] = [await sell(api, french), await sell(api, french)];
    const link = await linkOf(paymentId);
    expect((await link.send(own, { 'sec-fetch-site': 'cross-site' })).status).toBe(410);
    expect((await (await linkOf(other.paymentId)).open(`token=${link.token}`)).status).toBe(404);
    expect((await link.open(`token=${link.token}x`)).status).toBe(404);
    expect((await link.open('')).status).toBe(404);
    const later = Number.parseInt(link.token.split('.')[0] ?? '', 36) + 1_000_000;
    expect((await link.open(`token=${later.toString(36)}.${link.token.split('.')[1]}`)).status).toBe(404);
    clock.forward({ days: 30, minutes: 1 });
    expect(now().getTime()).toBeGreaterThan(0);
    expect((await link.open()).status).toBe(404);
    expect((await payments().get(paymentId)).correction).toBeUndefined();
  });

  it.each(['de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'pl', 'ja'])('opens a page in %s', async (lang) => {
    const { paymentId } = await sell(api, french);
    const link = await linkOf(paymentId);
    const { text } = await link.open(`token=${link.token}&lang=${lang}`);
    expect(text).toContain(`<html lang="${lang}">`);
    expect(text).not.toContain('Add your tax ID');
  });
});

it('the tax id page shows neither the name nor the e-mail address of the buyer', async () => {
  const { paymentId } = await sell(api, french);
  const { text } = await (await linkOf(paymentId)).open();
  expect(text).not.toContain('buyer@example.com');
  expect(text).not.toContain('A Buyer');
});
