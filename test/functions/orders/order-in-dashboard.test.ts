import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { payments } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'orders-'));
let api: Api;
let browsing: Browsing;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
  browsing = await browse(api, localKey);
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});
afterEach(() => clock.run());

const pageOf = (paymentId: string) => `/dashboard/payments/${paymentId}/order`;
const show = async (paymentId: string, cookies = browsing.cookies) =>
  (await api.call(`GET ${pageOf(paymentId)}`, { cookies, key: null })).text.replaceAll('&amp;', '&');

let forms = 0;
/** Presses a button of the page; the same form again if it has the same number. */
async function press(paymentId: string, action: string, form = `form-${++forms}`, more = {}): Promise<string> {
  const fields = { action, token: browsing.token, form, ...more };
  const { status, headers } = await postForm(api, pageOf(paymentId), fields, browsing.cookies);
  return status === 303 ? (headers['location']?.split('?')[1] ?? '') : String(status);
}

/** A sale whose first mail was sent. */
async function mailedSale(): Promise<string> {
  const { paymentId } = await sell(api);
  await mailFirst(paymentId);
  return paymentId;
}

async function mailFirst(paymentId: string): Promise<void> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const detail = { event_id: items[0].event_id, payment_id: paymentId, data: {} };
  await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
}

/** The invoice, which is issued when it is first asked for. */
const invoiceOf = async (paymentId: string) =>
  (await api.call(`GET /invoices/payments/${paymentId}`, { query: 'format=json' })).body;

async function sentBy(act: () => Promise<unknown>): Promise<number> {
  const before = readdirSync(mails).length;
  await act();
  return readdirSync(mails).length - before;
}

const auditOf = async (paymentId: string): Promise<string[]> => {
  const { body } = await api.call('GET /audit-log', { query: 'cursor=start' });
  const entries: { command: string }[] = body.items;
  return entries.filter((one) => JSON.stringify(one).includes(paymentId)).map(({ command }) => command);
};

describe('“Send it again” on a payment’s order page', () => {
  it('sends the purchase mail once more, and is recorded in the audit log', async () => {
    const paymentId = await mailedSale();
    expect(await sentBy(async () => expect(await press(paymentId, 'send')).toBe('said=sent'))).toBe(1);
    expect(await auditOf(paymentId)).toEqual(['order.send_mail']);
  });

  it('sends one mail for one form, even if the form arrives several times at the same time', async () => {
    const paymentId = await mailedSale();
    const twice = () => Promise.all([press(paymentId, 'send', 'same'), press(paymentId, 'send', 'same')]);
    expect(await sentBy(twice)).toBe(1);
    expect(await sentBy(twice)).toBe(0);
  });

  it('sends no more mails than it confirms when two members click at the same time', async () => {
    const paymentId = await mailedSale();
    let said: string[] = [];
    const both = async () => {
      said = await Promise.all([press(paymentId, 'send'), press(paymentId, 'send')]);
    };
    expect(await sentBy(both)).toBe(said.filter((one) => one === 'said=sent').length);
    expect(said).toContain('said=sent');
  });

  it('is also on the page of the payment, and sends to the address to which the order belongs now', async () => {
    const paymentId = await mailedSale();
    const { customer } = await payments().get(paymentId);
    await api.call(`PATCH /customers/${customer.id}`, { body: { email: 'new@example.com' } });
    const page = (await api.call(`GET /dashboard/payments/${paymentId}`, { cookies: browsing.cookies, key: null }))
      .text;
    expect(page).toMatch(new RegExp(`action="${pageOf(paymentId)}"[\\s\\S]*?Send the mail again`));
    await press(paymentId, 'send');
    expect(readFileSync(join(mails, readdirSync(mails).sort().at(-1) ?? ''), 'utf8')).toContain('To: new@example.com');
    expect(await show(paymentId)).toContain('new@example.com');
    await api.call(`PATCH /customers/${customer.id}`, { body: { email: customer.email } });
  });

  it('sends at most five mails of a purchase in an hour', async () => {
    clock.stopAt('2026-03-01T12:00:00.000Z');
    const paymentId = await mailedSale();
    for (let times = 0; times < 5; times += 1) expect(await press(paymentId, 'send')).toBe('said=sent');
    expect(await sentBy(async () => expect(await press(paymentId, 'send')).toBe('said=often'))).toBe(0);
    clock.forward({ hours: 1 });
    expect(await press(paymentId, 'send')).toBe('said=sent');
  });

  it.each([true, false])(
    'waits for the first mail, so the buyer gets only one mail (invoiced: %s)',
    async (isInvoiced) => {
      const { paymentId } = await sell(api);
      if (isInvoiced) await invoiceOf(paymentId);
      expect(await sentBy(async () => expect(await press(paymentId, 'send')).toBe('said=early'))).toBe(0);
      expect(await sentBy(() => mailFirst(paymentId))).toBe(1);
      expect(await sentBy(() => mailFirst(paymentId))).toBe(0);
    },
  );

  it('leaves the first mail marked as sent', async () => {
    const paymentId = await mailedSale();
    await press(paymentId, 'send');
    expect(await sentBy(() => mailFirst(paymentId))).toBe(0);
    expect(await show(paymentId)).toContain('sent <time');
  });
});

describe('“Replace the link” on a payment’s order page', () => {
  it('ends the old link at once, shows the new one, and is recorded in the audit log', async () => {
    const paymentId = await mailedSale();
    const old = await orderUrlOf(await payments().get(paymentId));
    expect(await show(paymentId)).toContain(old);
    expect(await press(paymentId, 'replace')).toBe('said=replaced');
    const fresh = await orderUrlOf(await payments().get(paymentId));
    expect(fresh).not.toBe(old);
    expect(await show(paymentId)).toContain(fresh);
    const open = async (url: string) =>
      (await api.call(`GET /orders/${paymentId}`, { key: null, query: new URL(url).search.slice(1) })).status;
    expect([await open(old), await open(fresh)]).toEqual([404, 303]);
    expect(await auditOf(paymentId)).toEqual(['order.replace_link']);
  });

  it('replaces once for two clicks on the same form, and twice for two forms at the same time', async () => {
    const { paymentId } = await sell(api);
    await Promise.all([press(paymentId, 'replace', 'one'), press(paymentId, 'replace', 'one')]);
    expect((await payments().get(paymentId)).orderLink).toBe(1);
    await Promise.all([press(paymentId, 'replace'), press(paymentId, 'replace')]);
    expect((await payments().get(paymentId)).orderLink).toBe(3);
  });
});

describe('the link on a payment’s order page', () => {
  it('is not shown to a read-only key', async () => {
    const { paymentId } = await sell(api);
    const secret = new URL(await orderUrlOf(await payments().get(paymentId))).search;
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    const page = await show(paymentId, cookies);
    expect(page).toContain('Mail of the purchase');
    expect(page).not.toContain(secret);
    expect(page).not.toContain('name="action"');
    expect(await show(paymentId)).toContain(secret);
  });
});

describe('“Correct the address” on a payment’s order page', () => {
  const correct = (paymentId: string, email: string, form?: string) => press(paymentId, 'correct', form, { email });

  /** The mails that an action sends, by their receivers. */
  async function mailsBy(act: () => Promise<unknown>): Promise<Record<string, string>> {
    const before = new Set(readdirSync(mails));
    await act();
    const sent = readdirSync(mails).filter((one) => !before.has(one));
    return Object.fromEntries(
      sent.map((name) => {
        const mail = readFileSync(join(mails, name), 'utf8');
        const [, text = ''] = /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(mail) ?? [];
        return [/^To: (.*)$/m.exec(mail)?.[1]?.trim() ?? '', Buffer.from(text, 'base64').toString()];
      }),
    );
  }

  it('ends the old link, notifies the old address, mails the new address, and is recorded in the audit log', async () => {
    const paymentId = await mailedSale();
    const old = new URL(await orderUrlOf(await payments().get(paymentId)));
    const sent = await mailsBy(async () =>
      expect(await correct(paymentId, 'right@example.com')).toBe('said=corrected'),
    );
    expect(Object.keys(sent).sort()).toEqual(['buyer@example.com', 'right@example.com']);
    expect(sent['buyer@example.com']).not.toMatch(/right@example|\/orders\/|secret=/);
    const [, query = ''] = /\/orders\/\w+\?(secret=[\w-]+)/.exec(sent['right@example.com'] ?? '') ?? [];
    const open = async (asked: string) =>
      (await api.call(`GET /orders/${paymentId}`, { key: null, query: asked })).status;
    expect([await open(old.search.slice(1)), await open(query)]).toEqual([404, 303]);
    expect(await auditOf(paymentId)).toEqual(['order.correct_address']);
    expect((await api.call('GET /audit-log', { query: 'cursor=start' })).text).not.toContain('right@example');
  });

  it('does not change documents that were issued', async () => {
    const paymentId = await mailedSale();
    const before = await invoiceOf(paymentId);
    await correct(paymentId, 'right@example.com');
    expect(await invoiceOf(paymentId)).toEqual(before);
  });

  it.each([
    { isInvoiced: true, told: ['buyer@example.com'] },
    { isInvoiced: false, told: [] },
  ])(
    'sends a first mail that is still due to the new address (invoiced: $isInvoiced)',
    async ({ isInvoiced, told }) => {
      const { paymentId } = await sell(api);
      if (isInvoiced) await invoiceOf(paymentId);
      expect(Object.keys(await mailsBy(() => correct(paymentId, 'right@example.com')))).toEqual(told);
      expect(Object.keys(await mailsBy(() => mailFirst(paymentId)))).toEqual(['right@example.com']);
    },
  );

  it('takes effect once for a form that arrives twice at the same time', async () => {
    const paymentId = await mailedSale();
    const twice = () => Promise.all([1, 2].map(() => correct(paymentId, 'right@example.com', 'same')));
    expect(Object.keys(await mailsBy(twice)).sort()).toEqual(['buyer@example.com', 'right@example.com']);
    expect((await payments().get(paymentId)).orderLink).toBe(1);
  });

  it.each([
    ['no address', 'not an address', 'said=invalid'],
    ['the same address', 'buyer@example.com', 'said=same'],
  ])('changes nothing for %s', async (_, email, said) => {
    const paymentId = await mailedSale();
    expect(await mailsBy(async () => expect(await correct(paymentId, email)).toBe(said))).toEqual({});
    expect((await payments().get(paymentId)).orderLink).toBeUndefined();
  });

  it('counts as one of the five mails an hour', async () => {
    const paymentId = await mailedSale();
    for (let times = 0; times < 5; times += 1) await press(paymentId, 'send');
    expect(await correct(paymentId, 'right@example.com')).toBe('said=often');
    expect((await payments().get(paymentId)).customer.email).toBe('buyer@example.com');
  });
});
