import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { payments, portals, world } from '../../../shared/wiring/runtime.ts';
import { type Api, type ApiAnswer, testMerchant } from '../../support/shop/api.ts';
import { sell } from '../../support/shop/shop.ts';
import { dumpRows } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';
import { openPortal } from './portal-visitor.ts';

let api: Api;
let shop: Awaited<ReturnType<typeof openPortal>>;
const merchant = Merchant.parse({
  ...testMerchant,
  returnOrigins: ['https://shop.example'],
  receipts: { from: 'receipts@shop.example' },
});
beforeAll(async () => {
  shop = await openPortal(merchant);
  api = shop.api;
});
afterAll(() => shop.close());
afterEach(() => vi.restoreAllMocks());

let count = 0;

/** A customer with an order, and what the merchant asks for them. */
async function customer() {
  count += 1;
  const email = `ann${count}@session.example`;
  const { paymentId } = await sell(api, { email, language: 'de' });
  const customerId = (await payments().get(paymentId)).customer.id;
  const create = (call: Parameters<Api['call']>[1] = {}): Promise<ApiAnswer> =>
    api.call(`POST /customers/${customerId}/customer-portal/session`, call);
  return { email, paymentId, customerId, create };
}

const tokenOf = ({ body }: ApiAnswer): string => new URL(body.link).searchParams.get('token') ?? '';
const later = (seconds: number) => {
  const at = Date.now() + seconds * 1_000;
  vi.spyOn(world, 'now').mockImplementation(() => new Date(at));
};

describe('a portal session that the merchant requests by API', () => {
  it('has a link whose button opens the portal once, in one browser', async () => {
    const { create, paymentId } = await customer();
    const answer = await create();
    expect(answer.body).toEqual({ link: expect.stringMatching(/\/portal\/confirm\?token=[\w-]{43}$/) });
    const [first, second] = [shop.visitor(), shop.visitor()];
    for (const visitor of [first, second]) {
      const shown = await visitor.get(answer.body.link);
      expect([shown.status, shown.text.includes('Show my purchases')]).toEqual([200, true]);
    }
    expect((await first.press(tokenOf(answer))).status).toBe(303);
    expect((await first.get('/portal')).text).toContain(paymentId);
    for (const visitor of [first, second]) expect((await visitor.press(tokenOf(answer))).status).toBe(410);
    expect((await second.get('/portal')).text).not.toContain(paymentId);
  });

  it('opens once, even if several browsers press the button at the same time', async () => {
    const { create } = await customer();
    const token = tokenOf(await create());
    const pressed = await Promise.all(Array.from({ length: 5 }, () => shop.visitor().press(token)));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410]);
  });

  it('has a link that is valid for 24 hours and cannot be opened by another site', async () => {
    const [early, late] = [await customer(), await customer()];
    const [inTime, over] = [tokenOf(await early.create()), tokenOf(await late.create())];
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    const begun = Date.now();
    const shiftTo = (ms: number) => vi.spyOn(world, 'now').mockImplementation(() => new Date(begun + ms));
    shiftTo(24 * 3_600_000 - 60_000);
    expect((await shop.visitor().post('/portal/confirm', { token: inTime }, crossSite)).status).toBe(404);
    expect((await shop.visitor().press(inTime)).status).toBe(303);
    shiftTo(24 * 3_600_000 + 60_000);
    expect((await shop.visitor().press(over)).status).toBe(410);
  });

  it('shows only the orders of the customer’s address', async () => {
    const [mine, other] = [await customer(), await customer()];
    const visitor = shop.visitor();
    await visitor.press(tokenOf(await mine.create()));
    const { text } = await visitor.get('/portal');
    expect([text.includes(mine.paymentId), text.includes(other.paymentId)]).toEqual([true, false]);
    expect((await visitor.post(`/portal/orders/${other.paymentId}`, { step: 'open' })).status).toBe(404);
  });

  it('works for a customer without an order, and with the address that the merchant entered', async () => {
    const { customerId, paymentId } = await customer();
    const moved = `moved${count}@session.example`;
    await api.call(`PATCH /customers/${customerId}`, { body: { email: moved } });
    const visitor = shop.visitor();
    await visitor.press(tokenOf(await api.call(`POST /customers/${customerId}/customer-portal/session`)));
    const { text } = await visitor.get('/portal');
    expect([text.includes(paymentId), text.includes(moved)]).toEqual([true, true]);
    const { body } = await api.call('POST /customers', { body: { email: 'new@session.example', name: 'New' } });
    expect((await api.call(`POST /customers/${body.customer_id}/customer-portal/session`)).status).toBe(200);
  });

  it('requires a key with write access', async () => {
    const { create } = await customer();
    expect((await create({ key: null })).status).toBe(401);
    expect((await create({ key: await api.addKey({ access: 'read' }) })).status).toBe(403);
    expect((await create({ key: await api.addKey({ access: 'write' }) })).status).toBe(200);
  });

  it('is refused to a key that expires before the link', async () => {
    const { create } = await customer();
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    expect((await create({ key: await api.addKey({ access: 'write', expiresAt: inHours(23) }) })).status).toBe(403);
    expect((await create({ key: await api.addKey({ access: 'write', expiresAt: inHours(25) }) })).status).toBe(200);
  });

  it('is refused for an unknown customer, and for one whose erasure has started', async () => {
    const { customerId, create } = await customer();
    expectProblem(await api.call('POST /customers/cus_x/customer-portal/session'), 404, 'NOT_FOUND');
    await api.call(`POST /customers/${customerId}/erase`);
    expectProblem(await create(), 409, 'CONFLICT');
  });
});

describe('return_url', () => {
  it('is the link back to the shop on the portal’s pages', async () => {
    const { create } = await customer();
    const visitor = shop.visitor();
    await visitor.press(tokenOf(await create({ query: 'return_url=https%3A%2F%2Fshop.example%2Faccount%3Fa%3D1' })));
    for (const path of ['/portal', '/portal/keys', '/portal/data']) {
      const { text } = await visitor.get(path);
      expect([path, /<a [^>]*href="https:\/\/shop\.example\/account\?a=1"/.test(text)]).toEqual([path, true]);
    }
  });

  it.each([
    'https://elsewhere.example/',
    'javascript:alert(1)',
    'http://shop.example/',
    'https://shop.example@elsewhere.example/',
    'shop.example',
    `https://shop.example/${'x'.repeat(3_000)}`,
  ])('is refused if the merchant has not allowed it: %.40s', async (address) => {
    const { create } = await customer();
    const answer = await create({ query: `return_url=${encodeURIComponent(address)}` });
    expect(answer.status).toBe(422);
    expect(answer.body.link).toBeUndefined();
  });
});

describe('send_email', () => {
  it('mails the link to the customer, in the language of the purchase', async () => {
    const { create, email } = await customer();
    const { body } = await create({ query: 'send_email=true' });
    const [mail] = shop.mailsTo(email);
    expect(mail?.text).toContain(body.link);
    expect(mail?.text).toContain('Der Link gilt 24 Stunden');
    expect(shop.mailsTo(email)).toHaveLength(1);
  });

  it('mails nothing if it is false or absent', async () => {
    const { create, email } = await customer();
    await create();
    await create({ query: 'send_email=false' });
    expect(shop.mailsTo(email)).toEqual([]);
    expectProblem(await create({ query: 'send_email=yes' }), 422, 'INVALID_QUERY_PARAMS', 'send_email');
  });

  it('mails a customer at most five links an hour', async () => {
    const { create, email } = await customer();
    for (let index = 0; index < 5; index += 1) expect((await create({ query: 'send_email=true' })).status).toBe(200);
    expectProblem(await create({ query: 'send_email=true' }), 429, 'TOO_MANY_REQUESTS');
    expect((await create()).status).toBe(200);
    expect(shop.mailsTo(email)).toHaveLength(5);
  });
});

describe('an Idempotency-Key for a portal link', () => {
  const keyed = (key: string, query = '') => ({ headers: { 'idempotency-key': key }, query });

  it('returns the same link while the link is unused and valid, and stores no secret', async () => {
    const { create } = await customer();
    const first = await create(keyed('unused'));
    const again = await create(keyed('unused'));
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    const rows = await dumpRows(api.table);
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain(tokenOf(first));
    later(24 * 3_600 + 60);
    expectProblem(await create(keyed('unused')), 409, 'CONFLICT');
  });

  it('returns no link that was used', async () => {
    const { create } = await customer();
    const token = tokenOf(await create(keyed('used')));
    await shop.visitor().press(token);
    const answer = await create(keyed('used'));
    expectProblem(answer, 409, 'CONFLICT');
    expect(answer.text).not.toContain(token);
  });

  it('is bound to one request, and creates one link for five simultaneous requests', async () => {
    const { create, email } = await customer();
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(keyed('at once', 'send_email=true'))));
    const links = answers.flatMap(({ status, body }) => (status === 200 ? [body.link] : []));
    expect(new Set(links).size).toBe(1);
    expect(shop.mailsTo(email).length).toBeGreaterThan(0);
    expectProblem(await create(keyed('at once')), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('mails a link that a crashed request did not mail, and mails no link twice', async () => {
    const { create, email } = await customer();
    const first = await create(keyed('dies', 'send_email=true'));
    await create(keyed('dies', 'send_email=true'));
    expect(shop.mailsTo(email)).toHaveLength(1);
    const { hashApiKey } = await import('../../../shared/http/api-key.ts');
    const link = await portals().findLink(hashApiKey(tokenOf(first)));
    if (!link) throw new Error('The link is not stored.');
    await portals().saveLink({ ...link, mailedAt: null });
    await create(keyed('dies', 'send_email=true'));
    expect(shop.mailsTo(email)).toHaveLength(2);
    expect(shop.mailsTo(email)[1]?.text).toContain(first.body.link);
  });
});
