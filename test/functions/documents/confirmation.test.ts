import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { policiesAt } from '../../../shared/domain/catalogue/policies.ts';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { confirmedBy } from '../../../shared/domain/orders/mail-notes.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { locales } from '../../../shared/pages/locale.ts';
import { confirmationTexts, instructionTexts } from '../../../shared/texts/texts.ts';
import { publishPolicies } from '../../../shared/use-cases/catalogue/publish-policies.ts';
import { supplyFactsOf } from '../../../shared/use-cases/withdrawal/load-supply.ts';
import { updateWithdrawalSettings } from '../../../shared/use-cases/withdrawal/update-withdrawal-settings.ts';
import { mails } from '../../../shared/wiring/books.ts';
import { brands, grants, licenseKeys, now, payments, policyLanguage } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

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
/** Each test begins with the same text of the seller. */
beforeEach(() => publish({ terms: '§ 1 Geltung\n\nErster\nZweiter <b>', refunds: '', withdrawal: '' }));
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});

const publish = (texts: Partial<Record<'terms' | 'refunds' | 'withdrawal', string>>) => {
  const changes = Object.entries(texts).map(([kind, text]) => ({ kind: kind as 'terms', language: 'de', text }));
  return publishPolicies({ brands: brands(), policyLanguage: policyLanguage(), now }, changes, () => []);
};

const words = 'Ich stimme zu: „sofort“.';
const waiver = { kind: 'immediate_supply' as const, language: 'de', text: words, lines: [0] };

/** Sells a book with the texts that hold now and a consent, and changes the stored payment as given. */
async function sold(asked: Partial<Submission> = {}, fields: Partial<Payment> = {}): Promise<Payment> {
  const policies = policiesAt(await brands().get(), ['de']);
  const { paymentId } = await sell(api, { policies, language: 'en', ...asked });
  const payment = await payments().get(paymentId);
  await payments().save({ ...payment, supplyConsents: [{ ...waiver, at: payment.createdAt }], ...fields });
  return payments().get(paymentId);
}

/** Lets the worker mail the document of a payment, and reads what it sends. */
async function mailOf(paymentId: string): Promise<string> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const event = items.find((one: { type: string }) => one.type === 'payment.succeeded');
  const before = new Set(readdirSync(folder));
  await invokeFunction('documents/issue-documents', {
    'detail-type': 'payment.succeeded',
    detail: { event_id: event.event_id, payment_id: paymentId, data: {} },
  });
  const [name = ''] = readdirSync(folder).filter((one) => !before.has(one));
  const message = readFileSync(join(folder, name), 'utf8');
  const [, body = ''] = /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(message) ?? [];
  return Buffer.from(body, 'base64').toString();
}

const confirmationOf = ({ id, documentSecret }: Payment, format = 'html', lang = 'en', secret = documentSecret ?? '') =>
  api.call(`GET /invoices/payments/${id}`, {
    key: null,
    query: new URLSearchParams({ confirmation: 'true', format, lang, secret }).toString(),
  });

/** The text of a page, block by block, as a reader sees it. */
const shownOn = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

const switched = (isOff: boolean) =>
  updateWithdrawalSettings({ brands: brands() }, { isOff, refundsByItself: false }, () => []);

/** Letters, digits and signs: spaces and line breaks lie where the layout put them. */
const dense = (text: string): string => text.normalize('NFKC').replace(/[\s\u00A0]+/g, '');

const to = (country: string) => ({ billing: { country, state: null, city: null, street: null, zipcode: null } });

describe('the confirmation of a contract as a document', () => {
  it('200: contains each part of the confirmation mail, word for word', async () => {
    const payment = await sold();
    const mail = await mailOf(payment.id);
    const { status, text } = await confirmationOf(payment);
    expect(status).toBe(200);
    const shown = shownOn(text);
    const [, confirmed = ''] = mail.split(/(?=You agreed to\n-)/);
    const blocks = confirmed.split('\n\n').flatMap((block) => block.split('\n').filter((line) => !/^-+$/.test(line)));
    expect(blocks.length).toBeGreaterThan(25);
    for (const block of blocks) expect(shown).toContain(block);
    expect(blocks).toEqual(expect.arrayContaining([words, '§ 1 Geltung', 'Zweiter <b>']));
    for (const part of ['Musterweg 1', 'telephone: +49 30 1234567', 'e-mail: help@example.com', '/withdraw?lang=en.'])
      expect(shown).toContain(part);
    expect(text).toContain('<h1>Confirmation of contract <span>');
    expect(text).toContain('<div lang="de">');
    expect(shown).toMatch(/Field Guide[\s\S]*Total/);
  });

  it('200: is a PDF with its own file name, and has the terms of the time of sale', async () => {
    const payment = await sold();
    const { status, headers, text } = await confirmationOf(payment, 'pdf');
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(headers['content-disposition']).toMatch(/^inline; filename="confirmation-[^"]+\.pdf"$/);
    const { text: read } = await extractText(new Uint8Array(Buffer.from(text, 'base64')), { mergePages: true });
    for (const part of [words, '§ 1 Geltung', 'Zweiter <b>', 'Model withdrawal form', 'Confirmation of contract'])
      expect(dense(read)).toContain(dense(part));
    await publish({ terms: 'Neue AGB' });
    const { text: page } = await confirmationOf(payment);
    expect([page.includes('§ 1 Geltung'), page.includes('Neue AGB')]).toEqual([true, false]);
  });

  it('200: with the longest texts is a PDF that fits into an answer of Lambda', async () => {
    const longest = 'あ\n\n'.repeat(6_600); // a text has at most 20,000 letters; short paragraphs need the most room
    await publish({ terms: longest, refunds: longest, withdrawal: longest });
    const { paymentId } = await sell(api, { policies: policiesAt(await brands().get(), ['de']) });
    const { status, text: answered } = await confirmationOf(await payments().get(paymentId), 'pdf', 'de');
    expect([status, answered.length < 6_000_000]).toEqual([200, true]); // in base64; Lambda answers 6 MB at most
  });

  it('200: keeps the lines of a paragraph apart, as they were', async () => {
    const rows = 'Zeile\n'.repeat(3_300);
    await publish({ terms: `Erste\nZweite\n\n${rows}Letzte` });
    const { text } = await confirmationOf(await sold(), 'pdf');
    expect(text.length).toBeLessThan(300_000); // before, each line was a paragraph, and this took a megabyte
    const { text: read } = await extractText(new Uint8Array(Buffer.from(text, 'base64')), { mergePages: true });
    expect(dense(read)).toContain(dense('Erste Zweite Zeile'));
    expect(dense(read)).toContain('ZeileLetzte');
  });

  it.each(locales.map((lang) => ({ lang })))('200: is in the reader’s language ($lang)', async ({ lang }) => {
    const { text } = await confirmationOf(await sold(), 'html', lang);
    expect(text).toContain(confirmationTexts[lang].title);
    expect(text).toContain(instructionTexts[lang]['form.title']);
  });

  it('200: can be read with an API key, like the invoice', async () => {
    const { id } = await sold();
    const { status, text } = await api.call(`GET /invoices/payments/${id}`, {
      query: 'confirmation=true&format=html&lang=en',
    });
    expect([status, text.includes('Confirmation of contract')]).toEqual([200, true]);
  });

  it('404: is refused to a reader without the secret, and with the secret of another order', async () => {
    const [payment, other] = [await sold(), await sold()];
    for (const secret of ['', 'x', other.documentSecret ?? ''])
      expect((await confirmationOf(payment, 'html', 'en', secret)).status).toBe(404);
  });

  it.each(['json', 'xml'])('404: does not exist in the format %s', async (format) => {
    expectProblem(await confirmationOf(await sold(), format), 404, 'NOT_FOUND');
  });

  it('404: does not exist for a sale outside the right of withdrawal, or while the merchant has turned it off', async () => {
    expect((await confirmationOf(await sold(to('CH')))).status).toBe(404);
    const payment = await sold();
    await switched(true);
    const { status } = await confirmationOf(payment);
    await switched(false);
    expect([status, (await confirmationOf(payment)).status]).toEqual([404, 200]);
  });
});

describe('the order page', () => {
  const pageOf = async ({ id }: Payment) => {
    const { body } = await api.call(`GET /payments/${id}`);
    const { pathname, search } = new URL(body.order_url);
    const entered = await api.call(`GET ${pathname}`, { key: null, query: search.slice(1) });
    const cookie = (entered.cookies ?? []).map((one: string) => one.split(';')[0] ?? '');
    return (await api.call(`GET ${pathname}`, { key: null, query: 'lang=en', cookies: cookie })).text;
  };

  it('has working links to the confirmation as a page and as a PDF', async () => {
    const page = await pageOf(await sold());
    const links = [...page.matchAll(/href="([^"]*confirmation=true[^"]*)"/g)].map(([, url = '']) =>
      url.replaceAll('&amp;', '&'),
    );
    expect(links.map((url) => new URL(url).searchParams.get('format'))).toEqual(['html', 'pdf']);
    for (const url of links) {
      const { pathname, search } = new URL(url);
      expect((await api.call(`GET ${pathname}`, { key: null, query: search.slice(1) })).status).toBe(200);
    }
    expect(page).toContain('>Confirmation of contract</a>');
  });

  it('has no link to the confirmation for a sale without a right of withdrawal', async () => {
    expect(await pageOf(await sold(to('CH')))).not.toContain('confirmation=true');
  });
});

describe('GET /payments/{id}', () => {
  const told = async (id: string) => (await api.call(`GET /payments/${id}`)).body.confirmation;

  it('200: answers the time when the mail service accepted the confirmation, and the confirmation’s address', async () => {
    const payment = await sold();
    expect(await told(payment.id)).toBeNull();
    await mailOf(payment.id);
    const { accepted_at, url } = await told(payment.id);
    expect(accepted_at).toBe(confirmedBy(await mails().notes(payment.id), {})?.acceptedAt);
    const { pathname, search } = new URL(url);
    const { status, text } = await api.call(`GET ${pathname}`, { key: null, query: `${search.slice(1)}&format=html` });
    expect([status, text.includes(words)]).toEqual([200, true]);
  });

  it('200: answers null for a mail that was returned', async () => {
    const { id } = await sold();
    await mailOf(id);
    const [{ attempt = '' } = {}] = await mails().notes(id);
    const note = { at: now().toISOString(), what: 'bounced' as const, attempt, isPermanent: true };
    await mails().noteReport({ tag: { subjectId: id, attempt, orderLink: 0 }, note });
    expect(await told(id)).toBeNull();
  });

  it('200: answers the time of the mail to the corrected address, and ignores a mail to the mistyped one', async () => {
    const { id } = await sold();
    await mailOf(id);
    const first = (await told(id)).accepted_at;
    const { cookies, token } = await browse(api, localKey);
    const correct = { action: 'correct', token, form_id: 'form-1', form: 'form-1', email: 'right@buyer.example' };
    expect((await postForm(api, `/dashboard/payments/${id}/order`, correct, cookies)).status).toBe(303);
    const again = (await told(id)).accepted_at;
    expect(again > first).toBe(true);
    const present = (await mails().notes(id)).filter(({ confirms, orderLink }) => confirms && orderLink === 1);
    const [{ attempt = '' } = {}] = present;
    const note = { at: now().toISOString(), what: 'bounced' as const, attempt, isPermanent: true };
    await mails().noteReport({ tag: { subjectId: id, attempt, orderLink: 1 }, note });
    expect(await told(id)).toBeNull();
    const supplying = { mails: mails(), grants: grants(), licenseKeys: licenseKeys() };
    expect((await supplyFactsOf(supplying, await payments().get(id))).confirmedAt).toBeNull();
  });

  it('200: answers null for a sale outside the right of withdrawal', async () => {
    const { id } = await sold(to('CH'));
    await mailOf(id);
    expect(await told(id)).toBeNull();
  });
});

describe('the page of an invoice, a credit note or a confirmation', () => {
  const pageAt = (address: string, query = '') =>
    api.call(`GET ${address}`, { query: `format=html&lang=en${query}` }).then(({ text }) => text);

  it('links to the withdrawal page, unless the merchant has turned the right of withdrawal off', async () => {
    const { id } = await sold();
    const { body } = await api.call('POST /refunds', { body: { payment_id: id, amount: 500 } });
    const pages = async () => [
      await pageAt(`/invoices/payments/${id}`),
      await pageAt(`/invoices/payments/${id}`, '&confirmation=true'),
      await pageAt(`/invoices/refunds/${body.refund_id}`),
    ];
    for (const page of await pages())
      expect(page).toMatch(/<a href="http[^"]+\/withdraw\?lang=en">Withdraw from contract here<\/a>/);
    await switched(true);
    const [invoice, , creditNote] = await pages(); // without withdrawals, there is no confirmation
    await switched(false);
    for (const page of [invoice, creditNote]) expect(page).not.toContain('/withdraw?');
  });
});
