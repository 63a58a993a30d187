import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redact } from '../../../shared/log.ts';
import { clock } from '../../support/clock.ts';
import { type Api, type Call, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { loseDispute } from '../../support/shop/settle.ts';
import { addProduct, createSession, sell } from '../../support/shop/shop.ts';
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

async function refund(paymentId: string, fields: object = {}): Promise<string> {
  const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId, ...fields } });
  return body.refund_id;
}

describe('the access to a document', () => {
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

  it('404: is refused to programs and people who have only the id, before and after it is issued', async () => {
    const { addresses } = await sale();
    for (const address of addresses)
      for (const isIssued of [false, true]) {
        expectProblem(await bare(address, { headers: { accept: 'application/json' } }), 404, 'NOT_FOUND');
        const page = await bare(address);
        expect([page.status, page.text.includes('A Buyer')]).toEqual([404, false]);
        if (!isIssued) expect((await api.call(`GET ${address}`)).status).toBe(200);
      }
  });

  it('404: shows the same page for every id, even for an unknown one', async () => {
    const { addresses } = await sale();
    const pages = await Promise.all(
      [...addresses, '/invoices/payments/pay_nobodynobodynobodynob'].map((one) => bare(one)),
    );
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
  });

  it('200, 401: is given to a read-only key, and refused to a revoked key and without a key', async () => {
    const { addresses } = await sale();
    const keys = { read: await api.addKey({ access: 'read' }), revoked: await api.addKey({ revokedAt: '2026-01-01' }) };
    for (const address of addresses) {
      expect((await api.call(`GET ${address}`, { key: keys.read })).status).toBe(200);
      for (const key of [keys.revoked, 'sk_test_nobody'])
        expectProblem(await api.call(`GET ${address}`, { key }), 401, 'UNAUTHORIZED');
    }
  });

  it('200: is given by the link with a secret in the payment, the list, the refund and their webhooks', async () => {
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

  it('200: includes the PDF, to which the page links with the same secret, and no referrer is sent', async () => {
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

  it('404: is refused with a wrong secret: altered, empty, too long, too short, or of another payment', async () => {
    const [{ addresses, secret }, other] = [await sale(), await sale()];
    const wrong = [`${secret}x`, secret.slice(0, -1), '', 'doc_', secret.toUpperCase(), other.secret, other.paymentId];
    for (const address of addresses)
      for (const one of wrong) expect((await bare(address, { query: `secret=${one}` })).status).toBe(404);
  });

  it('200, 404: is given to the browser that paid, and refused to a browser that knows only the ids', async () => {
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

  it('writes no secret to the log', () => {
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

  it('200: mails the document that the page could not show: the credit note of a lost dispute, and no invoice', async () => {
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    const { body } = await api.call(`POST /disputes/${disputeId}/adjustments`, { body: { ground: 'rescinded' } });
    const which = `adjustment=${body.adjustments[0].adjustment_id}`;
    const address = `/invoices/payments/${paymentId}`;
    await api.call(`GET ${address}`, { query: which });
    const { text } = await invoicePage(paymentId, `&${which}`);
    const [, action = ''] = /<form method="post" action="\?([^"]*)">/.exec(text) ?? [];
    const before = readdirSync(mails).length;
    const query = action.replaceAll('&amp;', '&');
    expect((await api.call(`POST ${address}`, { ...anyone, query })).status).toBe(200);
    const { pathname, search } = linkIn(newMails(before)[0] ?? '');
    const opened = { ...anyone, query: `${search.slice(1)}&format=json`.replace('format=pdf&', '') };
    expect((await api.call(`GET ${pathname}`, opened)).body).toMatchObject({ kind: 'dispute_credit_note' });
    const other = await sell(api);
    expect((await api.call(`GET /invoices/payments/${other.paymentId}`, { query: which })).status).toBe(404);
  });

  it('422: an adjustment that is none, instead of the invoice', async () => {
    const { paymentId } = await sell(api);
    const query = 'adjustment=1&format=json';
    expectProblem(
      await api.call(`GET /invoices/payments/${paymentId}`, { query }),
      422,
      'INVALID_QUERY_PARAMS',
      'adjustment',
    );
  });

  it('200: answers the same for every id, and mails nothing for unknown or unissued documents', async () => {
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

  it('200: mails at most once in ten minutes, and the same link again later', async () => {
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
