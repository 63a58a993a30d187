import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { addProduct, createSession, fieldGuide, pay, sell } from '../../support/shop/shop.ts';
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

const bytesOf = ({ text }: ApiAnswer): Buffer => Buffer.from(text, 'base64');

const textOf = async (pdf: Buffer): Promise<string> => {
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: true });
  return text.replace(/[\s\u00A0]+/g, ' ');
};

describe('GET /invoices/payments/{payment_id}', () => {
  it('200: returns a PDF to a read-only key that requests no other format', async () => {
    const { paymentId } = await sell(api);
    for (const accept of ['application/pdf', '*/*', 'image/png', '']) {
      const answer = await invoiceOf(paymentId, accept);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': expect.stringMatching(/^inline; filename="INV-\d{4}-\d{6}\.pdf"$/),
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(bytesOf(answer).toString('latin1', 0, 8)).toBe('%PDF-1.7');
    }
  });

  it('200: returns a PDF with the number, net amount, tax and total of the payment', async () => {
    const { paymentId } = await sell(api);
    const { body: document } = await invoiceOf(paymentId);
    const text = await textOf(bytesOf(await invoiceOf(paymentId, 'application/pdf')));
    // 19.99 with 7 % inside: 1.31 of tax, 18.68 net
    for (const part of [
      document.number,
      '€19.99',
      '€18.68',
      '€1.31',
      'VAT 7%',
      'Subtotal without tax',
      'Amount due',
      '€0.00',
      'A Buyer',
    ])
      expect(text).toContain(part);
    for (const part of ['Example Books', 'DE123456788', 'Musterstraße 1']) expect(text).toContain(part);
    // an id whose characters are wide is broken into two lines
    expect(text.replaceAll(' ', '')).toContain(paymentId);
  });

  it('200: returns XML by EN 16931 on request, with the same amounts as the JSON', async () => {
    const { paymentId } = await sell(api);
    const { body: document } = await invoiceOf(paymentId);
    const { pathname, search } = new URL(document.xml_url);
    const byLink = await api.call(`GET ${pathname}`, { ...anyone, query: search.slice(1) });
    for (const answer of [await invoiceOf(paymentId, 'application/xml'), byLink]) {
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/xml',
        'content-disposition': `attachment; filename="${document.number}.xml"`,
        'cache-control': 'private, no-store',
      });
      // 19.99 with 7 % inside: 1.31 of tax, 18.68 net
      for (const amount of ['19.99', '18.68', '1.31', '0.00']) expect(answer.text).toContain(`>${amount}<`);
    }
  });

  it('404: refuses XML to strangers, and for a tax that EN 16931 does not know, with the reason', async () => {
    const { paymentId } = await sell(api);
    expectProblem(
      await api.call(`GET /invoices/payments/${paymentId}`, { ...anyone, query: 'format=xml' }),
      404,
      'NOT_FOUND',
    );
    const productId = await addProduct(api, { price: { ...fieldGuide.price, price: 12_340, currency: 'KWD' } });
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    const dinars = await pay(sessionId, { expectedTotal: 12_340 });
    const { body: document } = await invoiceOf(dinars.id);
    expect(document.xml_url).toBeNull();
    const refusal = await invoiceOf(dinars.id, 'application/xml');
    expectProblem(refusal, 404, 'NOT_FOUND');
    expect(refusal.body.message).toContain('three decimals');
  });

  it('200: returns JSON with the amounts and the invoice id of the payment', async () => {
    const { paymentId } = await sell(api);
    const { body: payment } = await api.call(`GET /payments/${paymentId}`);
    const { body: document, headers } = await invoiceOf(paymentId);
    expect(headers['content-type']).toBe('application/json');
    expect(document).toMatchObject({
      document_id: payment.invoice_id,
      kind: 'invoice',
      url: payment.invoice_url,
      payment_id: paymentId,
      refund_id: null,
      total_amount: payment.total_amount,
      tax: payment.tax,
      net_amount: 1_868,
      lines: [{ amount: 1_999, tax: 131, net_amount: 1_868 }],
      taxes: [{ net_amount: 1_868, tax: 131, tax_components: [{ name: 'VAT', rate: 7, amount: 131 }] }],
    });
  });

  it('200: returns to a browser a page in the browser’s language, without scripts or other files', async () => {
    const { paymentId } = await sell(api);
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const headers = { accept, 'accept-language': 'de-AT,de;q=0.9' };
    const answer = await api.call(`GET /invoices/payments/${paymentId}`, { headers });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-language': 'de' });
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
    expect(answer.text).toContain('<html lang="de">');
    expect(answer.text).toContain('Kleinbetragsrechnung');
    expect(answer.text).toContain('href="?format=pdf&amp;lang=de"');
    expect(answer.text).not.toMatch(/<script|<link (?!rel="icon")|<img|\ssrc=|\son\w+=|\sstyle=/);
  });

  it('200: uses the format and language of the URL before those of the browser', async () => {
    const { paymentId } = await sell(api);
    const options = {
      query: 'format=pdf&lang=fr',
      headers: { accept: 'text/html', 'accept-language': 'de' },
    };
    const answer = await api.call(`GET /invoices/payments/${paymentId}`, options);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'content-language': 'fr' });
    expect(await textOf(bytesOf(answer))).toContain('Facture');
  });

  it('200: returns the same number and the same bytes on every request', async () => {
    const { paymentId } = await sell(api);
    const answers = await Promise.all(Array.from({ length: 8 }, () => invoiceOf(paymentId, 'application/pdf')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('200: shows a business with its tax id, and both tax ids for a reverse charge', async () => {
    const productId = await addProduct(api);
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    const billing = { country: 'FR', state: null, city: 'Lyon', street: null, zipcode: '69001' };
    const taxId = 'FR40303265045';
    const payment = await pay(sessionId, { expectedTotal: 1_999, billing, taxId, businessName: 'Éditions du Rhône' });
    const text = await textOf(bytesOf(await invoiceOf(payment.id, 'application/pdf')));
    expect(text).toContain('Éditions du Rhône');
    expect(text).not.toContain('A Buyer');
    expect(text).toContain('VAT ID: FR40303265045');
    expect(text).toContain('VAT ID: DE123456788');
    expect(text).toContain('Reverse charge: the buyer is liable for the tax.');
    expect(text).not.toContain('0%');
  });

  it('200: uses the wording that the country of the business requires, on invoice and credit note', async () => {
    const productId = await addProduct(api);
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    const billing = { country: 'AU', state: 'NSW', city: 'Sydney', street: null, zipcode: '2000' };
    const payment = await pay(sessionId, {
      expectedTotal: 1_999,
      billing,
      taxId: '51 824 753 556',
      businessName: 'Reef',
    });
    expect(payment.taxId).toMatchObject({ id: '51824753556', statement: 'gst_registered' });
    const words = 'Sale to a business that is registered for GST: no GST is charged.';
    const invoice = await textOf(bytesOf(await invoiceOf(payment.id, 'application/pdf')));
    expect(invoice).toContain('AU ABN: 51824753556');
    expect(invoice).toContain(words);
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: payment.id } });
    const note = await api.call(`GET /invoices/refunds/${refund.refund_id}`, {
      headers: { accept: 'application/pdf' },
    });
    const credited = await textOf(bytesOf(note));
    expect(credited).toContain(words);
    expect(invoice + credited).not.toMatch(/reverse charge/i);
  });

  it('404: has no invoice until the payment has succeeded', async () => {
    const { paymentId } = await sell(api, { card: cards.slowSuccess });
    const early = await invoiceOf(paymentId);
    expectProblem(early, 404, 'NOT_FOUND');
    const { finishPayment: endPayment } = await import('../../support/shop/settle.ts');
    await endPayment(paymentId);
    expect((await invoiceOf(paymentId)).status).toBe(200);
  });

  it('404: refuses a failed payment, an unknown payment and an invalid id', async () => {
    const productId = await addProduct(api);
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    const failed = await pay(sessionId, { expectedTotal: 1_999, card: cards.declined });
    expect(failed.status).toBe('failed');
    for (const id of [failed.id, 'pay_nobodynobodynobodynob', 'pay_%2e%2e', 'x%20y'])
      expectProblem(await invoiceOf(id), 404, 'NOT_FOUND');
  });

  it('404: answers a browser with an error page', async () => {
    const answer = await invoiceOf('pay_nobodynobodynobodynob', 'text/html');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('There is no such document');
  });
});

describe('GET /invoices/refunds/{refund_id}', () => {
  it('200: returns a credit note with its own number and negative amounts, which names its invoice', async () => {
    const { paymentId } = await sell(api);
    const refundId = await refund(paymentId, { amount: 500, public_reason: 'Agreed by phone' });
    const { body: note } = await creditNoteOf(refundId);
    const { body: invoice } = await invoiceOf(paymentId);
    // the first 5.00 of 19.99 carry half-up(131 × 500 / 1999) = 33 of tax
    expect(note).toMatchObject({
      kind: 'credit_note',
      refund_id: refundId,
      total_amount: -500,
      tax: -33,
      net_amount: -467,
      corrects: { number: invoice.number, issued_on: invoice.issued_on },
    });
    expect(note.number).toMatch(/^CRN-\d{4}-\d{6}$/);
    const text = await textOf(bytesOf(await creditNoteOf(refundId, 'application/pdf')));
    for (const part of ['Credit note', note.number, invoice.number, '−€5.00', '−€4.67', '−€0.33', 'Agreed by phone'])
      expect(text).toContain(part);
  });

  it.each(['application/json', 'text/html', 'application/pdf'])(
    '200: leaves the private note of a refund out of its credit note as %s',
    async (type) => {
      const { paymentId } = await sell(api);
      const refundId = await refund(paymentId, { reason: 'Suspected fraud', public_reason: 'Returned' });
      const note = await creditNoteOf(refundId, type);
      const text = type === 'application/pdf' ? await textOf(bytesOf(note)) : note.text;
      expect(text).toContain('Returned');
      expect(text).not.toContain('fraud');
    },
  );

  it('200: has the same id and URL in the refund as in the credit note', async () => {
    const { paymentId } = await sell(api);
    const refundId = await refund(paymentId);
    const { body } = await api.call(`GET /refunds/${refundId}`);
    const { body: note } = await creditNoteOf(refundId);
    expect(body).toMatchObject({ invoice_id: note.document_id, invoice_url: note.url });
  });

  it('200: shows the seller’s tax ids as on the invoice, even when the registration has ended', async () => {
    const taxId = 'FR40303265045';
    const registered = { country: 'FR', scheme: 'standard', tax_id: taxId, active_from: '2020-01-01' };
    const { body: registration } = await api.call('POST /tax/registrations', { body: registered });
    const billing = { country: 'FR', state: null, city: null, street: null, zipcode: null };
    const { paymentId } = await sell(api, { billing, expectedTotal: null });
    const { body: invoice } = await invoiceOf(paymentId);
    await api.call(`PATCH /tax/registrations/${registration.id}`, { body: { expires_at: '2020-02-01' } });
    const { body: note } = await creditNoteOf(await refund(paymentId, { amount: 500 }));
    expect(invoice.seller.tax_ids).toMatchObject([{ country: 'DE' }, { country: 'FR', id: taxId }]);
    expect(note.seller.tax_ids).toEqual(invoice.seller.tax_ids);
  });

  it('200: adds up to the invoice over all refunds', async () => {
    const { paymentId } = await sell(api);
    const refundIds = [];
    for (const amount of [700, 700, 599]) refundIds.push(await refund(paymentId, { amount }));
    const notes = await Promise.all(refundIds.map((id) => creditNoteOf(id)));
    expect(notes.reduce((so, { body }) => so + body.tax, 0)).toBe(-131);
    expect(notes.reduce((so, { body }) => so + body.total_amount, 0)).toBe(-1_999);
  });

  it('404: refuses the id of a refund in the path for invoices, and the reverse', async () => {
    const { paymentId } = await sell(api);
    const refundId = await refund(paymentId);
    expect([(await invoiceOf(paymentId)).status, (await creditNoteOf(refundId)).status]).toEqual([200, 200]);
    for (const answer of [await invoiceOf(refundId), await creditNoteOf(paymentId)])
      expectProblem(answer, 404, 'NOT_FOUND');
  });

  it('404: refuses a failed, a pending and an unknown refund', async () => {
    const { paymentId } = await sell(api, { card: cards.pendingRefunds });
    const pending = await refund(paymentId);
    const { body } = await api.call(`GET /refunds/${pending}`);
    expect(body).toMatchObject({ status: 'pending', invoice_id: null, invoice_url: null });
    for (const id of [pending, 'ref_nobodynobodynobodynob']) expectProblem(await creditNoteOf(id), 404, 'NOT_FOUND');
  });
});
