import { afterAll, beforeAll, expect, it } from 'vitest';
import { leftOutFields } from '../../../shared/wiring/runtime.ts';
import { expectProblem } from '../../support/wire/problem.ts';
import { type FieldShop, notesIn, openFieldShop, unsupportedFields } from '../../support/wire/unsupported-fields.ts';

/** Fields that change nothing and are accepted with every value, because they mislead nobody. */
const harmless = {
  mandate_min_amount_inr_paise: 100_000,
  minimal_address: true,
  short_link: true,
  customization: { theme: 'dark', show_order_details: false, theme_config: { light: { bg_primary: '#fff' } } },
  feature_flags: Object.fromEntries(
    ['business_name', 'city', 'country', 'name', 'state', 'street', 'tax_id', 'zipcode'].map((name) => [
      `allow_customer_editing_${name}`,
      true,
    ]),
  ),
};

let shop: FieldShop;
beforeAll(async () => {
  shop = await openFieldShop(true);
});
afterAll(() => shop.api.stop());

it.each(unsupportedFields)(
  '$route accepts the field $field with an empty or default value',
  async ({ route, field, nothing }) => {
    for (const value of nothing) expect(await shop.send(route, field, value)).toMatchObject({ status: 200 });
  },
);

it.each(unsupportedFields)(
  '$route refuses the field $field by name if its value has an effect, and says what to do',
  async ({ route, field, something }) => {
    for (const value of something) {
      const answer = await shop.send(route, field, value);
      expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', field);
      expect(answer.body.message).toMatch(/leave it out|and send|checkout_url instead/);
    }
    expect(notesIn(shop.api.log)).toEqual([]);
    expect(await leftOutFields().all()).toEqual([]);
  },
);

it.each(Object.entries(harmless))('a session accepts the harmless field %s', async (field, value) => {
  for (const route of ['POST /checkouts', 'POST /checkouts/preview'])
    expect(await shop.send(route, field, value)).toMatchObject({ status: 200 });
});
