import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discounts } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
const newCode = async (fields: object = {}): Promise<any> =>
  (await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_000, ...fields } })).body;

const cartOf = async (codes: string[]) => ({
  product_cart: [{ product_id: await addProduct(api), quantity: 1 }],
  discount_codes: codes,
});

describe('a code that is not combinable', () => {
  it('says so, and every other code is combinable by default and when null would change nothing', async () => {
    const [alone, other] = [await newCode({ combinable: false }), await newCode()];
    expect([alone.combinable, other.combinable]).toEqual([false, true]);
    const path = `/discounts/${alone.discount_id}`;
    const change = async (body: object) => (await api.call(`PATCH ${path}`, { body })).body.combinable;
    expect([
      await change({ name: 'Alone' }),
      await change({ combinable: true }),
      await change({ name: 'Open' }),
    ]).toEqual([false, true, true]);
    expect(await change({ combinable: false })).toBe(false);
    expect((await discounts().get(other.discount_id)).combinable).toBeUndefined();
  });

  it.each([
    ['first', [0, 1]],
    ['last', [1, 0]],
  ])('opens no session together with another code, as the %s one, and the message names it', async (_, order) => {
    const codes = [await newCode({ combinable: false }), await newCode()];
    const used = order.map((index) => codes[index].code);
    const answer = await api.call('POST /checkouts', { body: await cartOf(used) });
    expectProblem(answer, 422, 'DISCOUNT_NOT_COMBINABLE', `discount_codes[${order.indexOf(0)}]`);
    expect(answer.body.message).toContain(codes[0].code);
  });

  it('opens a session alone, and combinable codes open one together', async () => {
    const [alone, one, two] = [await newCode({ combinable: false }), await newCode(), await newCode()];
    for (const codes of [[alone.code], [one.code, two.code]])
      expect((await api.call('POST /checkouts', { body: await cartOf(codes) })).body.session_id).toMatch(/^cks_/);
  });

  it('is left out of a preview that has another code, with the reason', async () => {
    const [one, alone] = [await newCode(), await newCode({ combinable: false })];
    const body = { ...(await cartOf([one.code, alone.code])), billing_address: { country: 'DE' } };
    const { discounts: shown } = (await api.call('POST /checkouts/preview', { body })).body;
    expect(shown).toMatchObject([
      { code: one.code, problem: null },
      { code: alone.code, problem: { code: 'DISCOUNT_NOT_COMBINABLE', message: expect.stringContaining(alone.code) } },
    ]);
  });

  it('is refused at its field on the checkout page that has another code, and the other stays', async () => {
    const [one, alone] = [await newCode(), await newCode({ combinable: false })];
    const id = (await api.call('POST /checkouts', { body: await cartOf([one.code]) })).body.session_id;
    const page = (await api.call(`GET /checkout/${id}`, { key: null })).text;
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const fields = { token, country: 'DE', discount_code: alone.code, code_action: 'apply' };
    const { text } = await postForm(api, `/checkout/${id}/quote`, fields, []);
    expect(text).toContain(`The code ${alone.code} cannot be used together with other codes.`);
    expect(text).toContain(`<li class="chip"><bdi class="code">${one.code}</bdi>`);
    expect(text).not.toContain(`data-code="${alone.code}"`);
  });
});
