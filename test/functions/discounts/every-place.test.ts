import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { regionsOf } from '../../../shared/tax/places/regions.ts';
import { rateRows } from '../../../shared/tax/rates/rate-table.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const own = rateRows().filter(({ country }) => country !== 'IN');
/** Every place of the rate table, such as Germany or Texas; of India, which has one rate, its states. */
const places = [
  ...new Map(own.map(({ country, region }) => [`${country}-${region}`, { country, state: region }])).values(),
  ...regionsOf('IN').map(({ code }) => ({ country: 'IN', state: code })),
];

/** Places where the table does not know the tax of this product. */
const unsold = ['BR', 'NP', 'RW'];

const euros = { currency: 'EUR', discount: 0, purchasing_power_parity: false };
const fixed = { type: 'one_time_price', ...euros, price: 1_999, tax_inclusive: true };
const chosen = { type: 'one_time_price', ...euros, price: 500, pay_what_you_want: true, tax_inclusive: true };

describe('a cart with a code whose prices include their tax', () => {
  it('has the same total and the same discount in every place of the rate table', async () => {
    const { code } = (await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_500 } })).body;
    const product_cart = [
      { product_id: await addProduct(api, { price: fixed, tax_category: 'e_book' }), quantity: 3 },
      { product_id: await addProduct(api, { price: chosen, tax_category: 'saas' }), quantity: 1, amount: 520 },
    ];
    const seen = await Promise.all(
      places.map(async ({ country, state }) => {
        const billing_address = { country, ...(state && { state }) };
        const { status, body } = await api.call('POST /checkouts/preview', {
          body: { product_cart, discount_codes: [code], billing_address },
        });
        const { tax, subtotal, discount, ...listed } = body.current_breakup ?? {};
        return { status, place: [country, state], tax, ...(status === 200 ? listed : { code: body.code }) };
      }),
    );
    expect(places.length).toBeGreaterThanOrEqual(177);
    // 5997 × 15 % = 899.55 → 900 off; the chosen 520 can fall by 20 only, to its minimum
    const listed = { listed_subtotal: 6_517, listed_discount: 920, total_amount: 5_597 };
    for (const { place, tax, status, ...figures } of seen)
      if (status === 200) expect([place, figures]).toEqual([place, listed]);
    const refused = seen.filter(({ status }) => status !== 200);
    expect(refused.map(({ place: [country], code: why }) => [country, why])).toEqual(
      unsold.map((country) => [country, 'UNSUPPORTED_COUNTRY']),
    );
    expect(new Set(seen.map(({ tax }) => tax)).size).toBeGreaterThan(20);
  });
});
