import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../../support/shop/api.ts';
import { addProduct, createSession, fieldGuide } from '../../../support/shop/shop.ts';

let api: Api;

/** A German merchant who sells to the Union by OSS, is registered in some more places, and in no other collects tax. */
beforeAll(async () => {
  clock.stopAt('2026-03-01T12:00:00Z');
  api = await startApi({ ...testMerchant, collectPolicy: 'registered_only' });
  const places = ['DE', 'JP', 'AU', 'CH', 'CA', 'CA-QC', 'US-OR'].map((place) => place.split('-'));
  const ids: Record<string, string> = { DE: 'DE123456788', CH: 'CHE-116.281.710 MWST' };
  const own = places.map(([country = '', region]) => {
    return { country, region, tax_id: ids[country] ?? 'T123456789', active_from: '2020-01-01' };
  });
  const oss = { country: 'DE', scheme: 'oss', tax_id: 'DE123456788', active_from: '2021-07-01' };
  for (const body of [...own, oss]) expect((await api.call('POST /tax/registrations', { body })).status).toBe(200);
});
afterAll(() => {
  clock.run();
  return api.stop();
});

interface Sold {
  price: number;
  isInclusive?: boolean;
  quantity?: number;
  currency?: string;
  /** `saas` is taxed at a country's standard rate, `e_book` at 7 % in Germany. */
  category?: 'saas' | 'e_book';
}

/** The cart of new products at these prices. */
async function cartOf(lines: readonly Sold[]): Promise<{ product_id: string; quantity: number }[]> {
  const cart = [];
  for (const { price, isInclusive = true, quantity = 1, currency = 'EUR', category = 'saas' } of lines) {
    const terms = { ...fieldGuide.price, price, currency, tax_inclusive: isInclusive };
    cart.push({ product_id: await addProduct(api, { price: terms, tax_category: category }), quantity });
  }
  return cart;
}

const sessionOf = async (lines: readonly Sold[]): Promise<string> => createSession(api, await cartOf(lines));
const addressIn = (place: string) => {
  const [country, state] = place.split('-');
  return { billing_address: { country, state } };
};
const ask = async (action: 'quote' | 'pay', sessionId: string, place: string, fields: object = {}) =>
  (await api.call(`POST /checkout/${sessionId}/${action}`, { body: { ...addressIn(place), ...fields }, key: null }))
    .body;
const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242' };
const figuresOf = ({ net_amount, tax, total_amount }: Record<string, number>) => [net_amount, tax, total_amount];

/** Quotes and pays: `[net, tax, gross]`, which both have to agree on. */
async function sell(lines: readonly Sold[], place: string) {
  const sessionId = await sessionOf(lines);
  const quoted = await ask('quote', sessionId, place);
  const { payment_id: id } = await ask('pay', sessionId, place, buyer);
  const { body: payment } = await api.call(`GET /payments/${id}`);
  const { body: calculation } = await api.call(`GET /payments/${id}/calculation`);
  expect([payment.status, payment.total_amount - payment.tax, payment.tax, payment.total_amount]).toEqual([
    'succeeded',
    ...figuresOf(quoted),
  ]);
  expect(calculation.verified).toBe(true);
  return { id, figures: figuresOf(quoted), lines: quoted.lines, rounding: calculation.rounding };
}

const pageOf = async (sessionId: string) => (await api.call(`GET /checkout/${sessionId}`, { key: null })).text;

interface PricedLine {
  net_amount: number;
  tax: number;
  amount: number;
  tax_components: { amount: number }[];
}
type Quoted = Pick<PricedLine, 'net_amount' | 'tax'> & { total_amount: number; lines: PricedLine[] };

const sumOf = (amounts: readonly number[]) => amounts.reduce((so, amount) => so + amount, 0);

/** Asserts that the parts of a quote are its whole, to the cent. */
function expectSums({ lines, net_amount, tax, total_amount }: Quoted): void {
  expect(net_amount + tax).toBe(total_amount);
  const sums = [lines.map((line) => line.net_amount), lines.map((line) => line.tax), lines.map(({ amount }) => amount)];
  expect(sums.map(sumOf)).toEqual([net_amount, tax, total_amount]);
  for (const line of lines) {
    expect(line.net_amount + line.tax).toBe(line.amount);
    expect(sumOf(line.tax_components.map(({ amount }) => amount))).toBe(line.tax);
    expect(Math.min(line.net_amount, line.tax)).toBeGreaterThanOrEqual(0);
  }
}

describe('prices that caused bugs in other projects', () => {
  it.each([
    { place: 'DE', tax: 1_900, says: { rate: 19, reason: null } }, // 11900 × 19 / 119
    { place: 'HU', tax: 2_530, says: { rate: 27, reason: null } }, // 11900 × 27 / 127 = 2529.9
    { place: 'US-OR', tax: 0, says: { rate: null, reason: 'no_tax' } },
    { place: 'GB', tax: 0, says: { rate: null, reason: 'not_collecting' } },
    { place: 'AQ', tax: 0, says: { rate: null, reason: 'not_collecting' } },
  ])(
    'a price of 119.00 with tax included is 119.00 in $place, and contains only the tax that is due there (woocommerce#28167, #27957, #26571, #26397, #31721, PR#61471)',
    async ({ place, tax, says }) => {
      const cart = await cartOf([{ price: 11_900 }]);
      const { body: preview } = await api.call('POST /checkouts/preview', {
        body: { product_cart: cart, ...addressIn(place) },
      });
      expect(preview).toMatchObject({ total_price: 11_900, total_tax: tax, product_cart: [{ og_price: 11_900 }] });
      const sessionId = await createSession(api, cart, addressIn(place));
      expect(await pageOf(sessionId)).toContain('<strong id="due">€119.00</strong>');
      for (const where of [place, 'DE', place])
        expect((await ask('quote', sessionId, where)).total_amount).toBe(11_900);
      const { lines } = await ask('quote', sessionId, place);
      expect(lines[0].tax_components).toMatchObject([{ ...says, amount: tax }]);
      expect(await ask('pay', sessionId, place, buyer)).toMatchObject({ total_amount: 11_900, tax });
    },
  );

  it.each([
    // 50000 / 11 = 4545.45; net first, and the tax from it: 45455 + 4546 = 50001
    { of: '50 000 JPY', sold: { price: 50_000, currency: 'JPY' }, place: 'JP', figures: [45_455, 4_545, 50_000] },
    // 700 × 21 / 121 = 121.49; net first: 579 + 122 = 701
    { of: '7.00', sold: { price: 700 }, place: 'NL', figures: [579, 121, 700] },
    // 330 × 19 / 119 = 52.69; unit by unit: 3 × 92 + 52 = 328
    { of: '3 × 1.10', sold: { price: 110, quantity: 3 }, place: 'DE', figures: [277, 53, 330] },
    // 400000 × 19 / 119 = 63865.55; net first: 336134 + 63865 = 399999
    { of: '4000.00', sold: { price: 400_000 }, place: 'DE', figures: [336_134, 63_866, 400_000] },
    // 2000000 / 11 = 181818.18
    {
      of: '20 000.00',
      sold: { price: 2_000_000, currency: 'AUD' },
      place: 'AU',
      figures: [1_818_182, 181_818, 2_000_000],
    },
  ])(
    'a total of $of with tax included is rounded once and does not change (frappe/erpnext PR#52512, #52236; odoo@c6a9bab, #2594, #9417; EDD#1554)',
    async ({ sold, place, figures }) => {
      expect((await sell([sold], place)).figures).toEqual(figures);
    },
  );

  it.each([
    { how: 'five of one product', lines: [{ price: 9_900, quantity: 5 }], taxes: [8_926] },
    { how: 'five products', lines: Array(5).fill({ price: 9_900 }), taxes: [1_785, 1_785, 1_785, 1_785, 1_786] },
    { how: 'two and three', lines: [2, 3].map((quantity) => ({ price: 9_900, quantity })), taxes: [3_570, 5_356] },
  ])(
    'the tax of 5 × 99.00 at 22 % is 89.26, as $how, and the payment names the rule (saleor#12348; vendure#2662, #3047, #4474; oc-mall#1097; alf.io#576; PrestaShop#11195, #19445, #33912; openfoodnetwork#847; craftcms PR#697; Umbraco.Commerce#168)',
    async ({ lines, taxes }) => {
      // 49500 × 22 / 122 = 8926.2; unit by unit 5 × 1785 = 8925
      const sold = await sell(lines, 'IT');
      expect(sold.figures).toEqual([40_574, 8_926, 49_500]);
      const charged = sold.lines.map(({ tax }: { tax: number }) => tax);
      expect(charged.toSorted((a: number, b: number) => a - b)).toEqual(taxes);
      for (const rule of [/half up/, /once per rate set/, /largest remainder/]) expect(sold.rounding).toMatch(rule);
    },
  );

  it('half a cent of tax is rounded up, also for prices without tax: 19 % of 1.50 is 0.29 (saleor#12348; vendure#2662, #3047, #4474; oc-mall#1097; alf.io#576; PrestaShop#11195, #19445, #33912; openfoodnetwork#847; craftcms PR#697; Umbraco.Commerce#168)', async () => {
    // 150 × 0.19 = 28.5, which half-even would make 28; 3 × 28.5 = 85.5, line by line it would be 87
    expect((await sell([{ price: 150, isInclusive: false }], 'DE')).figures).toEqual([150, 29, 179]);
    const three = await sell(Array(3).fill({ price: 150, isInclusive: false }), 'DE');
    expect(three.figures).toEqual([450, 86, 536]);
  });

  it('lines of 17.36 and 13.64 sum to 31.00, and the parts of the invoice sum to its total (umbraco/Umbraco.Commerce#126; invopop/gobl: total 30.99)', async () => {
    const { id, figures } = await sell([{ price: 1_736 }, { price: 1_364, category: 'e_book' }], 'DE');
    // 1736 × 19 / 119 = 277.2, 1364 × 7 / 107 = 89.2
    expect(figures).toEqual([2_734, 366, 3_100]);
    const asJson = { headers: { accept: 'application/json' } };
    const { body } = await api.call(`GET /invoices/payments/${id}`, asJson);
    for (const parts of [body.lines, body.taxes])
      expect(parts.map((part: PricedLine) => [part.net_amount, part.tax, part.amount])).toEqual([
        [1_459, 277, 1_736],
        [1_275, 89, 1_364],
      ]);
    expect(figuresOf(body)).toEqual(figures);
  });

  it('in every cart and country, lines sum to the total and tax components to the tax (umbraco/Umbraco.Commerce#126; invopop/gobl)', async () => {
    const kinds = [true, false].flatMap((isInclusive) => (['saas', 'e_book'] as const).map((c) => [isInclusive, c]));
    const cart = await Promise.all(
      kinds.map(async ([tax_inclusive, tax_category], index) => {
        const price = { ...fieldGuide.price, price: 0, pay_what_you_want: true, tax_inclusive };
        return { product_id: await addProduct(api, { price, tax_category }), quantity: index + 1 };
      }),
    );
    const sessionId = await createSession(api, cart);
    const amount = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 50_000_000 }));
    const place = fc.constantFrom('DE', 'HU', 'FR', 'IT', 'CH', 'CA-QC', 'JP', 'GB', 'US-OR');
    const amounts = fc.tuple(amount, amount, amount, amount);
    const property = fc.asyncProperty(amounts, place, async (chosen, where) => {
      const entries = cart.map(({ product_id }, index) => [product_id, chosen[index]]);
      const quoted = await ask('quote', sessionId, where, { amounts: Object.fromEntries(entries) });
      expectSums(quoted);
      for (const [index, line] of quoted.lines.entries())
        expect(line[line.tax_inclusive ? 'amount' : 'net_amount']).toBe((chosen[index] ?? 0) * (index + 1));
    });
    await fc.assert(property, { numRuns: 120 });
  });

  it.each([
    // 1990 × 0.081 = 161.19; to 0.05 it would be 160, and the total 2150
    { isInclusive: false, figures: [1_990, 161, 2_151] },
    // 1990 × 81 / 1081 = 149.1; to 0.05 it would be 150
    { isInclusive: true, figures: [1_841, 149, 1_990] },
  ])(
    'VAT in Swiss francs is rounded to 0.01, not to the smallest coin of 0.05, tax included: $isInclusive (nopCommerce#3949)',
    async ({ isInclusive, figures }) => {
      expect((await sell([{ price: 1_990, currency: 'CHF', isInclusive }], 'CH')).figures).toEqual(figures);
    },
  );
});
