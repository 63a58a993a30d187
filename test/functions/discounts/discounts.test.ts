import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { customerIdOf } from '../../../shared/domain/ids.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const newCode = (): string => `C${randomUUID().slice(0, 8)}`.toUpperCase();
const create = (fields: object = {}) =>
  api.call('POST /discounts', { body: { type: 'percentage', amount: 1_500, code: newCode(), ...fields } });
const made = async (fields: object = {}) => (await create(fields)).body;
const get = (id: string) => api.call(`GET /discounts/${id}`);
const change = (id: string, body: object) => api.call(`PATCH /discounts/${id}`, { body });
const remove = (id: string) => api.call(`DELETE /discounts/${id}`);
const byCode = (code: string) => api.call(`GET /discounts/code/${code}`);
const unknown = `dsc_${'x'.repeat(21)}`;
const euros = { currency: 'EUR', max_amount_possible: 500, minimum_subtotal: 2_000 };

describe('POST /discounts', () => {
  it('200: creates a percentage discount, with default values for all fields that were not sent', async () => {
    const code = newCode();
    const { status, body } = await create({ code: code.toLowerCase(), name: 'Spring' });
    expect(status).toBe(200);
    expect(body).toEqual({
      discount_id: expect.stringMatching(/^dsc_[A-Za-z0-9]{21}$/),
      business_id: 'demo',
      type: 'percentage',
      amount: 1_500,
      code,
      name: 'Spring',
      currency_options: [],
      restricted_to: [],
      times_used: 0,
      usage_limit: null,
      per_customer_usage_limit: null,
      starts_at: null,
      expires_at: null,
      customer_eligibility: 'any',
      metadata: {},
      preserve_on_plan_change: false,
      subscription_cycles: null,
      below_minimum: false,
      combinable: true,
      created_at: expect.any(String),
    });
    expect((await get(body.discount_id)).body).toEqual(body);
  });

  it('200: creates a flat discount whose amount is in its default or only currency', async () => {
    const { body } = await create({ type: 'flat', amount: 700, currency_options: [{ currency: 'EUR' }] });
    expect(body.currency_options).toEqual([
      { currency: 'EUR', is_default: true, max_amount_possible: 700, minimum_subtotal: 0 },
    ]);
  });

  it('200: answers the amount of the currency options instead of the amount field, if both are sent', async () => {
    const { body } = await create({ type: 'flat', amount: 700, currency_options: [euros] });
    expect(body.amount).toBe(500);
  });

  it.each([undefined, null, ''])('200: creates a code of sixteen random letters and digits for %j', async (code) => {
    expect((await create({ code })).body.code).toMatch(/^[A-Z0-9]{16}$/);
  });

  it.each([
    ['a percentage above 100 %', { amount: 10_001 }, 'INVALID_PERCENTAGE', 'amount'],
    ['another type', { type: 'flat_per_unit' }, 'UNSUPPORTED_DISCOUNT_TYPE', 'type'],
    ['a flat code without currency', { type: 'flat' }, 'DISCOUNT_CURRENCY_OPTION_INVALID', 'currency_options'],
    [
      'a currency without an amount',
      { type: 'flat', currency_options: [{ ...euros, is_default: true }, { currency: 'USD' }] },
      'DISCOUNT_CURRENCY_OPTION_INVALID',
      'currency_options[1].max_amount_possible',
    ],
    [
      'several currencies without a default',
      { currency_options: [euros, { currency: 'USD' }] },
      'DISCOUNT_CURRENCY_OPTION_INVALID',
      'currency_options',
    ],
    [
      'a currency twice',
      { currency_options: [{ ...euros, is_default: true }, euros] },
      'DISCOUNT_CURRENCY_OPTION_INVALID',
      'currency_options[1].currency',
    ],
    ['an amount of 0', { amount: 0 }, 'INVALID_REQUEST_BODY', 'amount'],
    ['two letters', { code: 'AB' }, 'INVALID_REQUEST_BODY', 'code'],
    ['a space inside', { code: 'A B C' }, 'INVALID_REQUEST_BODY', 'code'],
    [
      'more for one customer than for all',
      { usage_limit: 2, per_customer_usage_limit: 3 },
      'INVALID_REQUEST_PARAMETERS',
      'per_customer_usage_limit',
    ],
    [
      'an end that is its start',
      { starts_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-01T00:00:00Z' },
      'INVALID_REQUEST_PARAMETERS',
      'expires_at',
    ],
  ])('422: refuses %s', async (_, fields, code, param) => {
    expectProblem(await create(fields), 422, code, param);
  });

  it('404: refuses an unknown product id', async () => {
    const product = await addProduct(api);
    const strange = `pdt_${'x'.repeat(21)}`;
    expectProblem(await create({ restricted_to: [product, strange] }), 404, 'NOT_FOUND', 'restricted_to[1]');
  });

  it('409: refuses a code that another discount has, in any letter case, until that discount is deleted', async () => {
    const { discount_id: id, code } = await made();
    expectProblem(await create({ code: code.toLowerCase() }), 409, 'DISCOUNT_CODE_ALREADY_EXISTS', 'code');
    await remove(id);
    expect((await create({ code })).status).toBe(200);
  });

  it('creates a code once when ten requests create it at the same time', async () => {
    const code = newCode();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });
});

describe('PATCH /discounts/{id}', () => {
  it('200: changes the named fields; null clears an optional field and leaves a required one', async () => {
    const { discount_id: id, ...before } = await made({ name: 'Spring', usage_limit: 7, metadata: { a: 1 } });
    expect(
      (await change(id, { name: null, type: null, amount: null, usage_limit: null, metadata: null })).body,
    ).toEqual({
      ...before,
      discount_id: id,
      name: null,
      usage_limit: null,
      metadata: {},
    });
  });

  it('200: makes the old code available again when the discount gets another code', async () => {
    const { discount_id: id, code } = await made();
    const renamed = newCode();
    expect((await change(id, { code: renamed })).body.code).toBe(renamed);
    expect((await byCode(renamed)).body.discount_id).toBe(id);
    expectProblem(await byCode(code), 404, 'NOT_FOUND');
  });

  it('validates the changed discount as a whole, so a percentage that becomes flat needs a currency', async () => {
    const { discount_id: id } = await made();
    expectProblem(await change(id, { type: 'flat' }), 422, 'DISCOUNT_CURRENCY_OPTION_INVALID', 'currency_options');
    expect((await change(id, { type: 'flat', currency_options: [euros] })).status).toBe(200);
  });

  it('404: refuses a deleted or unknown discount', async () => {
    const { discount_id: id } = await made();
    expect((await remove(id)).body).toEqual({});
    for (const gone of [id, unknown]) {
      expectProblem(await change(gone, { name: 'x' }), 404, 'NOT_FOUND');
      expectProblem(await get(gone), 404, 'NOT_FOUND');
      expectProblem(await remove(gone), 404, 'NOT_FOUND');
    }
  });
});

describe('GET /discounts/code/{code}', () => {
  it('200: finds a code in any letter case, from its start until just before its end', async () => {
    clock.stopAt('2030-03-01T12:00:00.000Z');
    const times = { starts_at: '2030-03-01T13:00:00Z', expires_at: '2030-03-01T14:00:00Z' };
    const { code } = await made(times);
    expectProblem(await byCode(code), 422, 'DISCOUNT_NOT_YET_ACTIVE', 'code');
    clock.forward({ hours: 1 });
    expect((await byCode(code.toLowerCase())).status).toBe(200);
    clock.forward({ hours: 1 });
    expectProblem(await byCode(code), 422, 'DISCOUNT_CODE_EXPIRED', 'code');
  });

  it('404: refuses an unknown code', async () => expectProblem(await byCode('NOSUCHCODE'), 404, 'NOT_FOUND'));
});

describe('GET /discounts', () => {
  const listed = async (query: string): Promise<string[]> =>
    (await api.call('GET /discounts', { query })).body.items.map(({ code }: { code: string }) => code);

  it('200: filters by part of the code, type, product and whether it can be redeemed', async () => {
    const mark = newCode().slice(0, 6);
    const product = await addProduct(api);
    const [plain, flat, mine, over] = ['A', 'B', 'C', 'D'].map((letter) => `${mark}${letter}`);
    const createLater = (terms: object) => {
      clock.forward({ milliseconds: 1 });
      return create(terms);
    };
    await create({ code: plain });
    await createLater({ code: flat, type: 'flat', currency_options: [euros] });
    await createLater({ code: mine, restricted_to: [product] });
    await createLater({ code: over, expires_at: '2020-01-01T00:00:00Z' });
    clock.run();
    const found = (query: string) => listed(`code=${mark.toLowerCase()}&${query}`);
    expect(await found('')).toEqual([over, mine, flat, plain]);
    expect(await found('discount_type=flat')).toEqual([flat]);
    expect(await found(`product_id=${await addProduct(api)}`)).toEqual([over, flat, plain]);
    expect(await found('active=true')).toEqual([mine, flat, plain]);
    expect(await found('active=false')).toEqual([over]);
    expect(await found('active=true&page_size=2&page_number=2')).toEqual([plain]);
    expect(await found('active=true&page_size=2&cursor=start')).toEqual([mine, flat]);
  });

  it('200: lists every active code once by cursor', async () => {
    const mark = newCode().slice(0, 6);
    for (let index = 0; index < 7; index += 1)
      await create({ code: `${mark}${index}`, ...(index % 2 && { expires_at: '2020-01-01T00:00:00Z' }) });
    const seen: string[] = [];
    let cursor: string | null = 'start';
    while (cursor !== null) {
      const { body }: { body: { items: { code: string }[]; next_cursor: string | null } } = await api.call(
        'GET /discounts',
        { query: `code=${mark}&active=true&page_size=2&cursor=${cursor}` },
      );
      seen.push(...body.items.map(({ code }) => code));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual([6, 4, 2, 0].map((index) => `${mark}${index}`));
  });
});

describe('the customers of a code', () => {
  const path = (id: string) => `/discounts/${id}/customers`;
  const guests = async (id: string): Promise<string[]> =>
    (await api.call(`GET ${path(id)}`)).body.items.map(({ customer_id }: { customer_id: string }) => customer_id);

  it('200: can be added by id or e-mail, once each, and removed', async () => {
    const { discount_id: id } = await made({ customer_eligibility: 'specific' });
    const somebody = `cus_${'s'.repeat(21)}`;
    const reader = customerIdOf('demo', 'reader@example.com');
    const body = { customer_ids: [somebody], emails: ['Reader@Example.com'] };
    for (const _ of [1, 2])
      expect((await api.call(`POST ${path(id)}`, { body })).body).toEqual({ customer_ids: [somebody, reader] });
    expect((await guests(id)).sort()).toEqual([somebody, reader].sort());
    await api.call(`DELETE ${path(id)}/${somebody}`);
    expect(await guests(id)).toEqual([reader]);
  });

  it('200: can be added a thousand at once', async () => {
    const { discount_id: id } = await made();
    const emails = Array.from({ length: 1_000 }, (_, index) => `reader-${index}@example.com`);
    expect((await api.call(`POST ${path(id)}`, { body: { emails } })).body.customer_ids).toHaveLength(1_000);
    const { body } = await api.call(`GET ${path(id)}`, { query: 'page_size=100&page_number=10' });
    expect([body.items.length, body.has_more]).toEqual([100, false]);
  });

  it('404, 422: are refused for an unknown discount and for wrong input', async () => {
    expectProblem(await api.call(`POST ${path(unknown)}`, { body: { emails: ['a@example.com'] } }), 404, 'NOT_FOUND');
    const { discount_id: id } = await made();
    expectProblem(await api.call(`POST ${path(id)}`, { body: {} }), 422, 'INVALID_REQUEST_BODY', 'customer_ids');
  });
});
