import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { wrapEvent } from '../../../infra/local-aws/bus/event-envelope.ts';
import { redact } from '../../../shared/log.ts';
import { keys } from '../../../shared/store/keys.ts';
import { clock } from '../../support/clock.ts';
import { type Api, type ApiAnswer, type Call, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { addProduct, createSession, fieldGuide, pay, sell } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
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

/** What the bus hands to the worker. */
const published = (type: string, paymentId: string, data: object = {}) =>
  wrapEvent({
    source: 'tillstack',
    detailType: type,
    detail: { event_id: 'evt_1', payment_id: paymentId, type, data },
  });

const work = (event: unknown) => invokeFunction('documents/issue-documents', event);

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

  it('200: the PDF shows number, net, tax and total of the payment', async () => {
    const { paymentId } = await sell(api);
    const { body: document } = await invoiceOf(paymentId);
    const text = await textOf(bytesOf(await invoiceOf(paymentId, 'application/pdf')));
    // 19.99 with 7 % inside: 1.31 of tax, 18.68 net
    for (const part of [
      document.number,
      '€19.99',
      '€18.68',
      '€1.31',
      'VAT 7 %',
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

  it('200: returns to a browser a page in its language, without scripts or other files', async () => {
    const { paymentId } = await sell(api);
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const headers = { accept, 'accept-language': 'de-AT,de;q=0.9' };
    const answer = await api.call(`GET /invoices/payments/${paymentId}`, { headers });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-language': 'de' });
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
    expect(answer.text).toContain('<html lang="de">');
    expect(answer.text).toContain('Kleinbetragsrechnung');
    expect(answer.text).toContain('href="?format=pdf&amp;lang=de"');
    expect(answer.text).not.toMatch(/<script|<link|<img|\ssrc=|\son\w+=|\sstyle=/);
  });

  it('200: format and language in the URL take priority over the browser’s preferences', async () => {
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
    expect(text).not.toContain('0 %');
  });

  it('200: uses the words that the country of the business requires, on invoice and credit note', async () => {
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

  it('404: a failed payment, an unknown payment, and an invalid id', async () => {
    const productId = await addProduct(api);
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    const failed = await pay(sessionId, { expectedTotal: 1_999, card: cards.declined });
    expect(failed.status).toBe('failed');
    for (const id of [failed.id, 'pay_nobodynobodynobodynob', 'pay_%2e%2e', 'x%20y'])
      expectProblem(await invoiceOf(id), 404, 'NOT_FOUND');
  });

  it('404: shows a person an error page', async () => {
    const answer = await invoiceOf('pay_nobodynobodynobodynob', 'text/html');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('There is no such document');
  });
});

describe('access to a document', () => {
  const bare = (address: string, options: Call = {}) =>
    api.call(`GET ${address}`, { ...anyone, ...options, headers: { accept: 'text/html', ...options.headers } });
  const secretOf = (url: string) => new URL(url).searchParams.get('secret') ?? '';

  /** A sale with a refund, where their documents are, and what opens them. */
  async function sale() {
    const { paymentId } = await sell(api);
    const refundId = await refund(paymentId, { amount: 500 });
    const { body: payment } = await api.call(`GET /payments/${paymentId}`);
    const { body: note } = await api.call(`GET /refunds/${refundId}`);
    const addresses = [`/invoices/payments/${paymentId}`, `/invoices/refunds/${refundId}`];
    return { paymentId, refundId, payment, note, addresses, secret: secretOf(payment.invoice_url) };
  }

  it('404: is refused to programs and persons who have only the id, before and after it is issued', async () => {
    const { addresses } = await sale();
    for (const address of addresses)
      for (const isIssued of [false, true]) {
        expectProblem(await bare(address, { headers: { accept: 'application/json' } }), 404, 'NOT_FOUND');
        const page = await bare(address);
        expect([page.status, page.text.includes('A Buyer')]).toEqual([404, false]);
        if (!isIssued) expect((await api.call(`GET ${address}`)).status).toBe(200);
      }
  });

  it('404: shows a person the same page, byte for byte, for every id', async () => {
    const { addresses } = await sale();
    const pages = await Promise.all(
      [...addresses, '/invoices/payments/pay_nobodynobodynobodynob'].map((one) => bare(one)),
    );
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
  });

  it('200: a read-only key; 401: a revoked key, or no key', async () => {
    const { addresses } = await sale();
    const keys = { read: await api.addKey({ access: 'read' }), revoked: await api.addKey({ revokedAt: '2026-01-01' }) };
    for (const address of addresses) {
      expect((await api.call(`GET ${address}`, { key: keys.read })).status).toBe(200);
      for (const key of [keys.revoked, 'sk_test_nobody'])
        expectProblem(await api.call(`GET ${address}`, { key }), 401, 'UNAUTHORIZED');
    }
  });

  it('200: the link with its secret that the payment, the list, the refund and their webhooks contain', async () => {
    const { paymentId, payment, note, addresses, secret } = await sale();
    expect(secret).toMatch(/^doc_\w{21}$/);
    const { body: list } = await api.call('GET /payments');
    const listed = list.items.find((one: { payment_id: string }) => one.payment_id === paymentId);
    const { body: events } = await api.call('GET /webhook-events', { query: 'page_size=100' });
    const told = await Promise.all(
      events.items
        .filter((event: { payment_id: string }) => event.payment_id === paymentId)
        .map(async ({ event_id }: { event_id: string }) => (await api.call(`GET /webhook-events/${event_id}`)).body),
    );
    const urls = [payment.invoice_url, note.invoice_url, listed.invoice_url];
    const frozen = told.flatMap((event) => JSON.stringify(event).match(/http[^"\\]*\/invoices\/[^"\\]*/g) ?? []);
    expect(frozen.length).toBe(2);
    for (const url of [...urls, ...frozen]) {
      const { pathname, search } = new URL(url);
      expect([search, addresses.includes(pathname)]).toEqual([`?secret=${secret}`, true]);
      expect((await bare(pathname, { query: search.slice(1) })).status).toBe(200);
    }
  });

  it('200: the page of a link links to the PDF with the same secret, and sends no referrer', async () => {
    const { addresses, secret } = await sale();
    const page = await bare(addresses[0] ?? '', { query: `secret=${secret}&lang=fr` });
    const [, pdf = ''] = /href="\?([^"]*)"/.exec(page.text) ?? [];
    expect(pdf).toBe(`secret=${secret}&amp;format=pdf&amp;lang=fr`);
    const answer = await bare(addresses[0] ?? '', { query: pdf.replaceAll('&amp;', '&') });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  it('404: a secret that is wrong, empty, too long, too short, or of another payment', async () => {
    const [{ addresses, secret }, other] = [await sale(), await sale()];
    const wrong = [`${secret}x`, secret.slice(0, -1), '', 'doc_', secret.toUpperCase(), other.secret, other.paymentId];
    for (const address of addresses)
      for (const one of wrong) expect((await bare(address, { query: `secret=${one}` })).status).toBe(404);
  });

  it('200: the browser that paid, without a secret in the URL; 404: a browser that knows only the ids', async () => {
    const id = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    const page = (await api.call(`GET /checkout/${id}`, anyone)).text;
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(page) ?? [];
    const buyer = { email: 'buyer@example.com', name: 'A Buyer', country: 'DE', card: cards.good };
    const raw = Buffer.from(new URLSearchParams({ token, expected_total: '1999', ...buyer }).toString());
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const paid = await api.call(`POST /checkout/${id}/pay`, { raw, headers, ...anyone });
    const { body: session } = await api.call(`GET /checkouts/${id}`);
    const paymentId = session.payment_id;
    const refundId = await refund(paymentId, { amount: 500 });
    const addresses = [`/invoices/payments/${paymentId}`, `/invoices/refunds/${refundId}`];
    const jar = paid.cookies.map((cookie) => cookie.split(';')[0] ?? '');
    expect(paid.cookies).toEqual([
      expect.stringMatching(
        new RegExp(`^buyer=${paymentId}\\.doc_\\w{21}; Path=/checkout/${id}; .*HttpOnly; SameSite=Lax`),
      ),
      expect.stringMatching(new RegExp(`^buyer_${paymentId}=doc_\\w{21}; Path=/invoices; .*HttpOnly; SameSite=Lax`)),
    ]);
    const receipt = (cookies: string[]) => api.call(`GET /checkout/${id}`, { ...anyone, cookies });
    expect((await receipt(jar)).text).toContain(`/invoices/payments/${paymentId}`);
    const forged = [`buyer=${paymentId}`, `buyer_${paymentId}=${paymentId}`];
    expect((await receipt(forged)).text).not.toContain(paymentId);
    const other = await sale();
    for (const address of addresses) {
      expect((await bare(address, { cookies: jar })).status).toBe(200);
      expect((await bare(address, { cookies: forged })).status).toBe(404);
    }
    for (const address of other.addresses) expect((await bare(address, { cookies: jar })).status).toBe(404);
  });

  it('leaves no secret in the log', () => {
    expect(api.log.length).toBeGreaterThan(20);
    expect(api.log.join('\n')).not.toMatch(/doc_\w{21}/);
    expect(redact('GET /invoices/payments/pay_1?secret=doc_0123456789abcdefghijk HTTP')).toBe(
      'GET /invoices/payments/pay_1?secret=doc_[redacted] HTTP',
    );
  });
});

describe('POST /invoices/payments/{payment_id}', () => {
  const { takeRealTime } = useShortPauses();

  const ask = (address: string) => api.call(`POST ${address}`, anyone);
  const newMails = (before: number) =>
    readdirSync(mails)
      .sort()
      .slice(before)
      .map((file) => readFileSync(join(mails, file), 'utf8'));
  const linkIn = (mail: string): URL => {
    const [, text = ''] = /text\/plain[^\r\n]*\r\n[^\r\n]+\r\n\r\n([\s\S]+?)\r\n--/.exec(mail) ?? [];
    return new URL(/http\S+/.exec(Buffer.from(text, 'base64').toString())?.[0] ?? '');
  };
  it('is offered on the error page for an id without its secret, as a form that contains no data', async () => {
    const { text, headers } = await invoicePage('pay_nobodynobodynobodynob', '&secret=doc_1');
    expect(text).toContain('<form method="post" action="?lang=en">');
    expect(headers['content-security-policy']).toContain("form-action 'self'");
  });

  const invoicePage = (id: string, query = '') =>
    api.call(`GET /invoices/payments/${id}`, { ...anyone, query: `lang=en${query}`, headers: { accept: 'text/html' } });

  it('200: mails a link to the document only to the e-mail address on the document', async () => {
    const { paymentId } = await sell(api);
    const refundId = await refund(paymentId, { amount: 500 });
    for (const address of [`/invoices/payments/${paymentId}`, `/invoices/refunds/${refundId}`]) {
      await api.call(`GET ${address}`);
      const before = readdirSync(mails).length;
      expect((await ask(address)).status).toBe(200);
      const [mail = '', ...more] = newMails(before);
      expect([mail.match(/^To: .*$/m)?.[0], more]).toEqual(['To: buyer@example.com', []]);
      const { pathname, search } = linkIn(mail);
      expect(pathname).toBe(address);
      expect((await api.call(`GET ${pathname}`, { ...anyone, query: search.slice(1) })).status).toBe(200);
      expect((await api.call(`GET ${pathname}`, anyone)).status).toBe(404);
    }
  });

  it('200: gives every id the same answer, and mails nothing for unknown or unissued documents or a wrong path', async () => {
    const { paymentId } = await sell(api);
    const issued = (await sell(api)).paymentId;
    await invoiceOf(issued);
    const before = readdirSync(mails).length;
    const nothing = ['payments/pay_nobodynobodynobodynob', `payments/${paymentId}`, `refunds/${issued}`];
    const answers = [];
    for (const path of nothing) answers.push(await ask(`/invoices/${path}`));
    expect(newMails(before)).toEqual([]);
    answers.push(await ask(`/invoices/payments/${issued}`));
    expect(newMails(before)).toHaveLength(1);
    const seen = answers.map(({ status, text, headers }) => JSON.stringify({ status, text, headers }));
    expect(new Set(seen).size).toBe(1);
  });

  it('200: mails at most once in ten minutes for many simultaneous requests, and the same link again later', async () => {
    const { paymentId } = await sell(api);
    await invoiceOf(paymentId);
    const address = `/invoices/payments/${paymentId}`;
    const before = readdirSync(mails).length;
    await Promise.all(Array.from({ length: 10 }, () => ask(address)));
    expect(newMails(before)).toHaveLength(1);
    clock.stopAt(new Date(Date.now() + 601_000).toISOString());
    await ask(address);
    clock.run();
    const links = newMails(before).map((mail) => linkIn(mail).href);
    expect([links.length, new Set(links).size]).toEqual([2, 1]);
    for (const file of readdirSync(mails).sort().slice(before)) rmSync(join(mails, file));
  });

  it('200: takes equally long for an unknown document', async () => {
    const { paymentId } = await sell(api);
    await invoiceOf(paymentId);
    const timed = async (id: string) => {
      const started = performance.now();
      await ask(`/invoices/payments/${id}`);
      return performance.now() - started;
    };
    takeRealTime();
    const [there, missing] = await Promise.all([paymentId, 'pay_nobodynobodynobodynob'].map(timed));
    expect(there).toBeGreaterThanOrEqual(590);
    expect(missing).toBeGreaterThanOrEqual(590);
  });

  it('404: refuses a path that cannot be a document', async () => {
    expect((await ask('/invoices/payments/x%20y')).status).toBe(404);
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

  it('200: the refund contains the id and the URL of its credit note', async () => {
    const { paymentId } = await sell(api);
    const refundId = await refund(paymentId);
    const { body } = await api.call(`GET /refunds/${refundId}`);
    const { body: note } = await creditNoteOf(refundId);
    expect(body).toMatchObject({ invoice_id: note.document_id, invoice_url: note.url });
  });

  it('200: shows the seller’s tax ids from the invoice, even when the registration was removed later', async () => {
    const taxId = 'FR40303265045';
    const registered = { country: 'FR', scheme: 'standard', tax_id: taxId, active_from: '2020-01-01' };
    const { body: registration } = await api.call('POST /tax/registrations', { body: registered });
    const billing = { country: 'FR', state: null, city: null, street: null, zipcode: null };
    const { paymentId } = await sell(api, { billing, expectedTotal: null });
    const { body: invoice } = await invoiceOf(paymentId);
    await api.call(`DELETE /tax/registrations/${registration.id}`);
    const { body: note } = await creditNoteOf(await refund(paymentId, { amount: 500 }));
    expect(invoice.seller.tax_ids).toMatchObject([{ country: 'DE' }, { country: 'FR', id: taxId }]);
    expect(note.seller.tax_ids).toEqual(invoice.seller.tax_ids);
  });

  it('200: the credit notes of all refunds add up to the invoice', async () => {
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

  it('404: a failed, a pending and an unknown refund', async () => {
    const { paymentId } = await sell(api, { card: cards.pendingRefunds });
    const pending = await refund(paymentId);
    const { body } = await api.call(`GET /refunds/${pending}`);
    expect(body).toMatchObject({ status: 'pending', invoice_id: null, invoice_url: null });
    for (const id of [pending, 'ref_nobodynobodynobodynob']) expectProblem(await creditNoteOf(id), 404, 'NOT_FOUND');
  });
});

describe('GET /invoices/audit', () => {
  const audit = (query: string, options = {}) => api.call('GET /invoices/audit', { query, ...options });
  const year = new Date().getFullYear();

  it('200: the numbers of a series run from 1 to the last one without a gap', async () => {
    const { paymentId } = await sell(api);
    const { body: invoice } = await invoiceOf(paymentId);
    const { body } = await audit(`series=INV-${year}`);
    expect(body).toEqual({
      series: `INV-${year}`,
      first: 1,
      last: invoice.serial,
      count: invoice.serial,
      gaps: [],
      counter: invoice.serial,
      is_continuous: true,
      missing: [],
      next_cursor: null,
    });
  });

  it('200: a series without documents has no gaps and no numbers', async () => {
    const { body } = await audit('series=CRN-1999');
    expect(body).toMatchObject({ first: null, last: null, count: 0, gaps: [], is_continuous: true });
  });

  describe('names what is missing in a series', () => {
    const remove = async (Key: { pk: string; sk: string }) => {
      const { table } = await import('../../../shared/wiring/runtime.ts');
      const command = new DeleteCommand({ TableName: table().name, Key, ReturnValues: 'ALL_OLD' });
      return (await table().client.send(command)).Attributes;
    };
    /** Six minutes later, what was to be issued is issued. */
    const auditLater = async (kind: 'INV' | 'CRN') => {
      clock.stopAt(new Date(Date.now() + 360_000).toISOString());
      const { body } = await audit(`series=${kind}-${year}`);
      clock.run();
      return body;
    };

    it('200: a number without a document, a document without a number or sale, and a sale without a document', async () => {
      const sales = [];
      for (let count = 0; count < 4; count += 1) sales.push((await sell(api)).paymentId);
      const [gone, unnumbered, unsold, undocumented] = sales as [string, string, string, string];
      const invoices = await Promise.all([gone, unnumbered, unsold].map((id) => invoiceOf(id)));
      const [first, second, third] = invoices.map(({ body }) => body);
      await remove(keys.document(gone));
      await remove(keys.documentNumber('INV', String(year), second.serial));
      const sold = await remove(keys.payment(unsold));
      const body = await auditLater('INV');
      expect(body.gaps).toEqual([{ from: second.serial, to: second.serial }]);
      expect(body.missing).toEqual(
        expect.arrayContaining([
          { what: 'document', id: gone, number: first.number },
          { what: 'sale', id: unsold, number: third.number },
          { what: 'document', id: undocumented, number: null },
        ]),
      );
      await invoiceOf(gone);
      const after = await auditLater('INV');
      expect(after.missing).not.toContainEqual({ what: 'document', id: gone, number: first.number });
      const { table } = await import('../../../shared/wiring/runtime.ts');
      const { serial, issued_at: issuedAt } = second;
      const Item = { ...keys.documentNumber('INV', String(year), serial), entity: 'NUMBER', serial, issuedAt };
      await table().client.send(new PutCommand({ TableName: table().name, Item: { ...Item, subjectId: unnumbered } }));
      expect((await auditLater('INV')).gaps).toEqual([]);
      await table().client.send(new PutCommand({ TableName: table().name, Item: sold }));
    });

    it('200: a missing credit note of a refund, and then its missing mail', async () => {
      const { paymentId } = await sell(api);
      const refundId = await refund(paymentId);
      const { missing } = await auditLater('CRN');
      expect(missing).toContainEqual({ what: 'document', id: refundId, number: null });
      const { number } = (await creditNoteOf(refundId)).body;
      const mine = async () => (await auditLater('CRN')).missing.filter(({ id }: { id: string }) => id === refundId);
      expect(await mine()).toEqual([{ what: 'mail', id: refundId, number }]);
      await work(published('refund.succeeded', paymentId, { refund_id: refundId }));
      expect(await mine()).toEqual([]);
    });

    it('200: nothing for a sale of the last five minutes', async () => {
      const { paymentId } = await sell(api);
      const { body } = await audit(`series=INV-${year}`);
      expect(body.missing.map(({ id }: { id: string }) => id)).not.toContain(paymentId);
    });

    it('200: the gaps of a long series in several answers, one part at a time', async () => {
      const { table } = await import('../../../shared/wiring/runtime.ts');
      const { documents } = await import('../../../shared/wiring/books.ts');
      const { BatchWriteCommand } = await import('@aws-sdk/lib-dynamodb');
      const serials = Array.from({ length: 1_200 }, (_, index) => index + 1).filter((serial) => serial !== 700);
      for (let start = 0; start < serials.length; start += 25)
        await table().client.send(
          new BatchWriteCommand({
            RequestItems: {
              [table().name]: serials.slice(start, start + 25).map((serial) => ({
                PutRequest: {
                  Item: {
                    ...keys.documentNumber('INV', '1998', serial),
                    entity: 'NUMBER',
                    serial,
                    subjectId: 'pay_x',
                    issuedAt: '',
                  },
                },
              })),
            },
          }),
        );
      const series = { ...(await documents().findSeries('INV', '1998')), last: 1_200 };
      await documents().issue(series, [], { isMailed: false });
      const portions = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await audit(`series=INV-1998${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        portions.push(body);
        cursor = body.next_cursor;
      }
      expect(portions.map(({ first, last, count, gaps }) => ({ first, last, count, gaps }))).toEqual([
        { first: 1, last: 500, count: 500, gaps: [] },
        { first: 501, last: 1_001, count: 500, gaps: [{ from: 700, to: 700 }] },
        { first: 1_002, last: 1_200, count: 199, gaps: [] },
      ]);
      expect(portions.flatMap(({ missing }) => missing)).toHaveLength(2 * 1_199);
    });
  });

  it('401: without a key', async () => expectProblem(await audit(`series=INV-${year}`, anyone), 401, 'UNAUTHORIZED'));

  it.each([
    '',
    'series=INV',
    'series=XYZ-2026',
    'series=INV-2026&page=1',
    'series=INV-2026&cursor=numbers.x',
    'series=INV-2026&cursor=rows.1',
  ])('422: refuses the query %j', async (query) => {
    expectProblem(await audit(query), 422, 'INVALID_QUERY_PARAMS');
  });
});

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

  it('uses the language of the page where the buyer paid', async () => {
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
  ])('ignores %s of %s, because there is nothing to document', async (type, paymentId) => {
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
