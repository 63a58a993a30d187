import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { policiesAt } from '../../../shared/domain/catalogue/policies.ts';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { confirmedBy } from '../../../shared/domain/orders/mail-notes.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { publishPolicies } from '../../../shared/use-cases/catalogue/publish-policies.ts';
import { updateWithdrawalSettings } from '../../../shared/use-cases/withdrawal/update-withdrawal-settings.ts';
import { mails } from '../../../shared/wiring/books.ts';
import { brands, now, payments, policyLanguage } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'confirmations-'));
const merchant = {
  ...testMerchant,
  address: ['Example Books', 'Musterweg 1', '10115 Berlin'],
  supportEmail: 'help@example.com',
  supportPhone: '+49 30 1234567',
};
let api: Api;
beforeAll(async () => {
  api = await startApi(merchant, { MAIL_FOLDER: folder });
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});

const publish = (kind: 'terms' | 'privacy', text: string) =>
  publishPolicies(
    { brands: brands(), policyLanguage: policyLanguage(), now },
    [{ kind, language: 'de', text }],
    () => [],
  );

const part = (message: string, type: string): string => {
  const [, body = ''] = new RegExp(`${type}[\\s\\S]*?\\r\\n\\r\\n([\\w+/=\\r\\n]+)`).exec(message) ?? [];
  return Buffer.from(body, 'base64').toString();
};

/** Lets the worker mail the document of a payment, and reads what it sends. */
async function mailOf(paymentId: string): Promise<{ text: string; html: string }> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const event = items.find((one: { type: string }) => one.type === 'payment.succeeded');
  const before = new Set(readdirSync(folder));
  await invokeFunction('documents/issue-documents', {
    'detail-type': 'payment.succeeded',
    detail: { event_id: event.event_id, payment_id: paymentId, data: {} },
  });
  const [name = ''] = readdirSync(folder).filter((one) => !before.has(one));
  const message = readFileSync(join(folder, name), 'utf8');
  return { text: part(message, 'text/plain'), html: part(message, 'text/html') };
}

/** Sells a book with the texts that hold now, and changes the stored payment as given. */
async function sold(asked: Partial<Submission> = {}, fields: Partial<Payment> = {}): Promise<string> {
  const policies = policiesAt(await brands().get(), ['de']);
  const { paymentId } = await sell(api, { policies, language: 'en', ...asked });
  if (Object.keys(fields).length > 0) await payments().save({ ...(await payments().get(paymentId)), ...fields });
  return paymentId;
}

const to = (country: string) => ({ billing: { country, state: null, city: null, street: null, zipcode: null } });
const instructions = 'You have the right to withdraw from this contract within 14 days without giving any reason.';
const confirmedAt = async (paymentId: string) => confirmedBy(await mails().notes(paymentId), {})?.acceptedAt;

describe('the purchase mail to a consumer with a right of withdrawal', () => {
  it('contains the withdrawal instructions, the page’s address, the model form and the seller’s address', async () => {
    const { text, html } = await mailOf(await sold());
    for (const view of [text, html]) {
      expect(view).toContain(instructions);
      expect(view).toContain('Model withdrawal form');
      expect(view).toContain('telephone: +49 30 1234567');
      expect(view).toContain('e-mail: help@example.com');
      expect(view).toContain('Example Books, Musterweg 1, 10115 Berlin, telephone');
      expect(view).toMatch(/online at http\S+\/withdraw\?lang=en\. /);
    }
    expect(text).not.toMatch(/\{\w+\}/);
  });

  it('contains the full terms as they were at the sale, in their language, and no privacy notice', async () => {
    await publish('terms', `§ 1 Geltung\n\nErster\nZweiter <b>\n\n${'Satz. '.repeat(3_000)}Ende.`);
    await publish('privacy', 'Wir speichern');
    const paymentId = await sold();
    await publish('terms', 'Neue AGB');
    const { text, html } = await mailOf(paymentId);
    expect(text).toContain('§ 1 Geltung\n\nErster\nZweiter <b>\n\nSatz. ');
    expect(text).toContain('Satz. Ende.');
    expect(html).toContain('lang="de" dir="ltr"');
    expect(html).toContain('Zweiter &lt;b&gt;');
    for (const view of [text, html]) expect(view).not.toMatch(/Neue AGB|Wir speichern/);
    await publish('terms', '');
  });

  it('contains the text of each consent, with its time', async () => {
    const consent = { kind: 'immediate_supply' as const, language: 'de', text: 'Ich stimme zu: „sofort“.', lines: [0] };
    const at = '2026-03-01T12:00:05.000Z';
    const { text, html } = await mailOf(await sold({}, { supplyConsents: [{ ...consent, at }] }));
    for (const view of [text, html]) expect(view).toContain('Ich stimme zu: „sofort“.');
    expect(text).toContain('You agreed on March 1, 2026 at 12:00:05 UTC.');
  });

  it('contains a working link to the withdrawal page of the order', async () => {
    const paymentId = await sold({ language: 'de' });
    const { text } = await mailOf(paymentId);
    const [, link = ''] = /Vertrag widerrufen:\n(\S+)/.exec(text) ?? [];
    const { pathname, search } = new URL(link);
    const opened = await api.call(`GET ${pathname}`, { key: null, query: search.slice(1) });
    expect([opened.status, opened.headers['location']]).toEqual([303, `/orders/${paymentId}/withdraw?lang=de`]);
  });

  it('counts as the confirmation from its first acceptance on, even if it is sent again', async () => {
    const paymentId = await sold();
    await mailOf(paymentId);
    const first = await confirmedAt(paymentId);
    expect(first).toBe((await mails().notes(paymentId)).at(-1)?.at);
    const { token, cookies } = await browse(api, localKey);
    const fields = { action: 'send', token, form: 'form-1' };
    expect((await postForm(api, `/dashboard/payments/${paymentId}/order`, fields, cookies)).status).toBe(303);
    expect((await mails().notes(paymentId)).map(({ confirms }) => confirms?.length)).toEqual([32, 32]);
    expect(await confirmedAt(paymentId)).toBe(first);
  });

  it('does not count as the confirmation if a text of the seller is missing', async () => {
    const paymentId = await sold({ policies: { terms: 'lost' } });
    expect((await mailOf(paymentId)).text).toContain(instructions);
    expect(await confirmedAt(paymentId)).toBeUndefined();
  });
});

describe('the purchase mail to another buyer', () => {
  const switched = (isOff: boolean) =>
    updateWithdrawalSettings({ brands: brands() }, { isOff, refundsByItself: false }, () => []);

  it.each([
    { buyer: 'in Sweden', asked: to('SE'), isConfirmed: true },
    { buyer: 'in the United Kingdom', asked: to('GB'), isConfirmed: true },
    { buyer: 'in Switzerland', asked: to('CH'), isConfirmed: false },
    { buyer: 'in Japan', asked: to('JP'), isConfirmed: false },
  ])('$buyer has the withdrawal instructions: $isConfirmed', async ({ asked, isConfirmed }) => {
    const { text } = await mailOf(await sold(asked));
    expect(text.includes('Model withdrawal form')).toBe(isConfirmed);
    expect(text).toContain('Withdraw from contract here:\n');
  });

  it('has no instructions for a confirmed business, and has them for an unconfirmed one', async () => {
    const taxId = { id: 'DE136695976', country: 'DE', formatName: 'EU VAT', checkedAt: '2026-03-01T12:00:05.000Z' };
    const valid = { ...taxId, status: 'valid' as const };
    const unknown = { ...taxId, status: 'unverified' as const };
    expect((await mailOf(await sold({}, { taxId: valid }))).text).not.toContain(instructions);
    expect((await mailOf(await sold({}, { taxId: unknown }))).text).toContain(instructions);
  });

  it('has neither instructions nor a link if the merchant has turned withdrawals off', async () => {
    await switched(true);
    const paymentId = await sold();
    const { text, html } = await mailOf(paymentId);
    await switched(false);
    for (const view of [text, html]) expect(view).not.toMatch(/withdraw/i);
    expect(await confirmedAt(paymentId)).toBeUndefined();
  });
});
