import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { withNewOrderLink } from '../../../shared/domain/orders/order-link.ts';
import { payments } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';
import { type Caller, callerNames, openCallers } from '../../support/shop/callers.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund, hearBank, hearDispute, loseDispute } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let callers: Map<string, Caller>;
beforeAll(async () => {
  api = await startApi(Merchant.parse({ ...testMerchant, supportEmail: 'help@shop.example' }));
  callers = await openCallers(api);
});
afterAll(() => api.stop());

const anyone = { key: null, headers: { 'accept-language': 'en' } };
const delivery = { external_url: 'https://files.example.com/guide', instructions: 'Open the address.\nUse the key 7.' };

/** Buys a book with a delivery, and the products of these other prices. */
async function buy(card: string = cards.good, others: number[] = []): Promise<string> {
  const book = await addProduct(api, { digital_product_delivery: delivery });
  const more = others.map(async (price) => {
    const { external_url } = { external_url: `https://files.example.com/for-${price}` };
    const of = { type: 'one_time_price', currency: 'EUR', price, tax_inclusive: true };
    return addProduct(api, { name: `For ${price}`, price: of, digital_product_delivery: { external_url } });
  });
  const cart = [book, ...(await Promise.all(more))].map((product_id) => ({ product_id, quantity: 1 }));
  const total = others.reduce((sum, price) => sum + price, 1_999);
  return (await pay(await createSession(api, cart), { expectedTotal: total, card })).id;
}

const secretOf = async (paymentId: string): Promise<string> =>
  new URL(await orderUrlOf(await payments().get(paymentId))).searchParams.get('secret') ?? '';

const ask = (paymentId: string, secret?: string, cookies: string[] = []): Promise<ApiAnswer> =>
  api.call(`GET /orders/${paymentId}`, {
    ...anyone,
    cookies,
    ...(secret === undefined ? {} : { query: `secret=${secret}` }),
  });

/** Follows the link of an order in a new browser. */
async function follow(paymentId: string): Promise<{ cookies: string[]; show: (query?: string) => Promise<string> }> {
  const { cookies: set } = await ask(paymentId, await secretOf(paymentId));
  const cookies = set.map((cookie) => cookie.split(';')[0] ?? '');
  const show = async (query = '') => (await api.call(`GET /orders/${paymentId}`, { ...anyone, cookies, query })).text;
  return { cookies, show };
}

const refund = (paymentId: string, more: object = {}) =>
  api.call('POST /refunds', { body: { payment_id: paymentId, ...more } });

describe('the link to an order', () => {
  it('sets a cookie for this order only, and leads to an address without the secret', async () => {
    const paymentId = await buy();
    const { status, headers, cookies } = await ask(paymentId, await secretOf(paymentId));
    expect([status, headers['location']]).toEqual([303, `/orders/${paymentId}`]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(cookies).toEqual([
      expect.stringMatching(/^order=[\w-]{43}; Path=\/orders\/pay_\w+; Max-Age=\d+; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('shows first the purchase and then the documents, without data about the buyer', async () => {
    const paymentId = await buy();
    const page = await (await follow(paymentId)).show();
    expect(page).toContain('href="https://files.example.com/guide"');
    expect(page).toContain('Use the key 7.');
    expect(page.indexOf('files.example.com')).toBeLessThan(page.indexOf('Documents'));
    expect(page).toContain(`/invoices/payments/${paymentId}?secret=`);
    expect(page).toContain('help@shop.example');
    expect(page).not.toMatch(/buyer@example\.com|A Buyer/);
    expect(page).toContain('<meta name="robots" content="noindex, nofollow">');
  });

  it('leads to documents with a separate secret, which the order’s secret does not open', async () => {
    const paymentId = await buy();
    const page = await (await follow(paymentId)).show();
    const [, address = ''] = /href="[^"]*(\/invoices\/payments\/[^"]*format=html[^"]*)"/.exec(page) ?? [];
    const [path, query = ''] = address.replaceAll('&amp;', '&').split('?');
    expect((await api.call(`GET ${path}`, { ...anyone, query })).status).toBe(200);
    const other = await api.call(`GET ${path}`, { ...anyone, query: `secret=${await secretOf(paymentId)}` });
    expect(other.status).toBe(404);
  });

  it('lists the credit note of a sale that a lost dispute has undone, and what cancels it', async () => {
    const paymentId = await buy();
    const { show } = await follow(paymentId);
    const disputeId = await loseDispute(paymentId);
    expect(await show()).not.toContain('adjustment=');
    await api.call(`POST /disputes/${disputeId}/adjustments`, { body: { ground: 'rescinded' } });
    await hearBank(paymentId, { status: 'won', withdrawn: 0, isRefundable: true });
    const page = await show();
    const linked = [...page.matchAll(/<li><a href="([^"]*adjustment=[^"]*)">([^<]*)</g)];
    expect(linked.map(([, , label]) => label)).toEqual(['Credit note', 'Cancellation of a credit note']);
    const kinds = linked.map(async ([, href = '']) => {
      const { pathname, search } = new URL(href.replaceAll('&amp;', '&'));
      const query = search.slice(1).replace('format=html', 'format=json');
      return (await api.call(`GET ${pathname}`, { ...anyone, query })).body.kind;
    });
    expect(await Promise.all(kinds)).toEqual(['dispute_credit_note', 'credit_note_cancellation']);
  });

  it('offers the form for a tax id until a tax id can no longer be added', async () => {
    const paymentId = await buy();
    const { show } = await follow(paymentId);
    const [, address = ''] = /(\/invoices\/payments\/\w+\/tax-id\?[^"]+)"/.exec(await show()) ?? [];
    const [path, query = ''] = address.replaceAll('&amp;', '&').split('?');
    expect((await api.call(`GET ${path}`, { ...anyone, query })).status).toBe(200);
    await refund(paymentId);
    expect(await show()).not.toContain('/tax-id?');
  });

  it('stays the same, and can be opened several times', async () => {
    const paymentId = await buy();
    const secrets = await Promise.all([secretOf(paymentId), secretOf(paymentId)]);
    expect(new Set(secrets).size).toBe(1);
    const answers = await Promise.all([ask(paymentId, secrets[0]), ask(paymentId, secrets[0])]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  });

  it('ends together with its cookies when it is replaced, even in a browser that is just opening it', async () => {
    const paymentId = await buy();
    const old = await secretOf(paymentId);
    const { cookies } = await follow(paymentId);
    const [opening] = await Promise.all([
      ask(paymentId, old),
      payments().save(withNewOrderLink(await payments().get(paymentId))),
    ]);
    expect([303, 404]).toContain(opening.status);
    const raced = opening.cookies.map((cookie) => cookie.split(';')[0] ?? '');
    const after = [
      await ask(paymentId, old),
      await ask(paymentId, undefined, cookies),
      await ask(paymentId, undefined, raced),
    ];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await ask(paymentId, await secretOf(paymentId))).status).toBe(303);
  });

  it('works in each language that the page offers', async () => {
    const { show } = await follow(await buy());
    expect(await show('lang=de')).toContain('Ihr Einkauf');
    expect(await show('lang=ar')).toMatch(/<html lang="ar" dir="rtl">/);
  });
});

describe('an invalid link to an order', () => {
  /** The answer without what differs in each of them. */
  const told = ({ status, headers, text }: ApiAnswer) => ({ status, headers, text });

  it('gets the same answer for an existing and for an unknown payment', async () => {
    const [paymentId, other, failed] = [await buy(), await buy(), await buy(cards.declined)];
    const missing = 'pay_000000000000000000000';
    const answers = [
      await ask(missing, await secretOf(paymentId)),
      await ask(missing),
      await ask(paymentId),
      await ask(paymentId, ''),
      await ask(paymentId, 'wrong'),
      await ask(paymentId, await secretOf(other)),
      await ask(paymentId, (await payments().get(paymentId)).documentSecret ?? ''),
      await ask(paymentId, undefined, [`order=${await secretOf(other)}`]),
      await ask(failed, await secretOf(failed)),
      await ask('nothing', 'wrong'),
    ];
    const [first, ...rest] = answers.map(told);
    expect(first).toMatchObject({ status: 404, text: expect.stringContaining('This link opens no order') });
    for (const answer of rest) expect(answer).toEqual(first);
  });

  it.each(callerNames)('does not open the order for %s, because only the secret counts', async (name) => {
    const paymentId = await buy();
    const { documentSecret } = await payments().get(paymentId);
    const { key, browsing } = callers.get(name)!;
    const ofBuyer = [`buyer=${paymentId}.${documentSecret}`, `buyer_${paymentId}=${documentSecret}`];
    const answer = await api.call(`GET /orders/${paymentId}`, { key, cookies: [...browsing.cookies, ...ofBuyer] });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('files.example.com');
  });
});

describe('the content of a purchased line', () => {
  it('is hidden while a refund of the whole line is pending, and is back when the refund fails', async () => {
    const paymentId = await buy(cards.failingRefunds, [500]);
    const { show } = await follow(paymentId);
    const [book] = (await payments().get(paymentId)).lines;
    const { body } = await refund(paymentId, { items: [{ item_id: book?.productId }] });
    const pending = await show();
    expect(pending).toContain('This is being refunded');
    expect(pending).not.toContain('files.example.com/guide');
    expect(pending).toContain('files.example.com/for-500');
    await finishRefund(body.refund_id);
    expect(await show()).toContain('files.example.com/guide');
  });

  it('of a free order says that it was free, and has an order confirmation and no invoice', async () => {
    const product = await addProduct(api, { price: { type: 'one_time_price', currency: 'EUR', price: 0 } });
    const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
    const { show } = await follow((await pay(session, { expectedTotal: 0 })).id);
    const page = await show();
    expect(page).toContain('You got this for free from');
    expect(page).toContain('<dd>Free</dd>');
    expect([page.includes('Order confirmation'), page.includes('>Invoice<')]).toEqual([true, false]);
  });

  it('stays visible after a partial refund, and if the line was free', async () => {
    const paymentId = await buy(cards.good, [0]);
    const { show } = await follow(paymentId);
    await refund(paymentId, { amount: 1_998 });
    expect(await show()).toContain('files.example.com/guide');
    await refund(paymentId);
    const page = await show();
    expect(page).not.toContain('files.example.com/guide');
    expect(page).toContain('files.example.com/for-0');
    expect(page).toContain('paid back to you');
    expect(page).toContain('<strong>Refunded</strong>. The whole amount of €19.99 goes back to you');
    expect(page).toMatch(/\/invoices\/refunds\/ref_\w+\?secret=/);
  });

  it.each([
    { disputeStatus: 'opened', stage: 'dispute', isGiven: false },
    { disputeStatus: 'opened', stage: 'pre_dispute', isGiven: true },
    { disputeStatus: 'challenged', stage: 'pre_arbitration', isGiven: false },
    { disputeStatus: 'lost', stage: 'dispute', isGiven: false },
    { disputeStatus: 'won', stage: 'dispute', isGiven: true },
    { disputeStatus: 'cancelled', stage: 'dispute', isGiven: true },
  ] as const)(
    'is visible: $isGiven, while a dispute has the status $disputeStatus in the stage $stage',
    async ({ disputeStatus, stage, isGiven }) => {
      const paymentId = await buy(cards.disputeLost);
      await hearDispute(paymentId);
      const payment = await payments().get(paymentId);
      const disputes = payment.disputes.map((dispute) => ({ ...dispute, status: disputeStatus, stage }));
      await payments().save({ ...payment, disputes });
      const page = await (await follow(paymentId)).show();
      expect(page.includes('files.example.com/guide')).toBe(isGiven);
      const said = /<strong>(Claimed|Taken) back/.exec(page)?.[1];
      const isOpen = disputeStatus === 'opened' || disputeStatus === 'challenged';
      expect(said).toBe(isOpen ? 'Claimed' : disputeStatus === 'lost' ? 'Taken' : undefined);
    },
  );
});

describe('the field order_url', () => {
  it.each(callerNames)('is in the answer about a payment for %s only if the caller has write access', async (name) => {
    const paymentId = await buy();
    const { key, refusal } = callers.get(name)!;
    const { status, body } = await api.call(`GET /payments/${paymentId}`, { key });
    expect(status).toBe(key === null ? 401 : (refusal('read') ?? 200));
    const url = await orderUrlOf(await payments().get(paymentId));
    expect(body.order_url).toBe(key === null || refusal('write') ? undefined : url);
  });

  it('is in no list, in no webhook, and in no answer about an unsuccessful payment', async () => {
    const paymentId = await buy();
    const { pathname } = new URL(await orderUrlOf(await payments().get(paymentId)));
    const list = await api.call('GET /payments');
    const events = await api.call('GET /webhook-events');
    const event = await api.call(`GET /webhook-events/${events.body.items[0].event_id}`);
    for (const { text } of [list, events, event]) expect(text).not.toContain(pathname);
    const { body } = await api.call(`GET /payments/${await buy(cards.declined)}`, { key: localKey });
    expect(body).not.toHaveProperty('order_url');
  });
});

describe('the receipt in a stack that sends no mail', () => {
  it('shows the buyer the link to the order, to be kept', async () => {
    const session = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    const { id, documentSecret } = await pay(session, { expectedTotal: 1_999 });
    const cookies = [`buyer=${id}.${documentSecret}`];
    const { text } = await api.call(`GET /checkout/${session}`, { ...anyone, cookies });
    expect(text).toContain('Keep this link.');
    expect(text).toContain(`>${await orderUrlOf({ id })}</a>`);
  });
});
