import { describe, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import type { TaxComponent } from '../../../shared/domain/checkout/tax.ts';
import { sum } from '../../../shared/domain/money/money.ts';
import {
  britishForm,
  type CountryForm,
  countryReturn,
  swissForm,
} from '../../../shared/domain/reports/returns/country-return.ts';
import type { MovementKind, TaxMovement } from '../../../shared/domain/reports/returns/movement.ts';

type Line = TaxMovement['lines'][number];

const lineOf = (net: number, tax: number, { rate, reason }: Pick<TaxComponent, 'rate' | 'reason'>): Line => ({
  category: 'saas',
  net,
  components: [{ name: 'VAT', jurisdiction: 'GB', rate, reason, tax }],
});
const taxed = (net: number, tax: number, rate = '0.2') => lineOf(net, tax, { rate, reason: null });
const relieved = (net: number) => lineOf(net, 0, { rate: null, reason: 'reverse_charge' });

const movementOf = (kind: MovementKind, currency: string, lines: Line[]): TaxMovement => ({
  kind,
  currency,
  lines,
  ...{ id: `${kind}_1`, paymentId: 'pay_1', date: '2026-05-02', saleDate: '2026-05-01' },
  ...{ country: 'GB', region: null, registrations: [] },
  net: sum(lines.map(({ net }) => net)),
  tax: sum(lines.flatMap(({ components }) => components.map(({ tax }) => tax))),
});

/** The amounts of the boxes. */
async function boxesOf(movements: readonly TaxMovement[], form: CountryForm): Promise<Record<string, number>> {
  const counter = countryReturn(form, async () => exampleRates);
  for (const movement of movements) await counter.add(movement);
  const { rows } = (await counter.finish()).summary;
  const boxes = rows.filter(([section]) => section === 'box').map((row) => [row[1], row.at(-1)] as const);
  return Object.fromEntries(boxes.map(([box, cell]) => [box, (cell as { amount: number }).amount]));
}

const british = britishForm(() => true);
const swiss = swissForm(() => true);

describe('the tax return of a country', () => {
  it.each([
    // 120.00 with 20.00 inside is invoiced again as 120.00 without tax
    { price: 'an inclusive price', invoiced: 12_000 },
    // 100.00 and 20.00 is invoiced again as 100.00
    { price: 'an exclusive price', invoiced: 10_000 },
  ])('removes the whole net of $price from the taxed sales when its invoice is corrected', async ({ invoiced }) => {
    const sale = movementOf('sale', 'GBP', [taxed(10_000, 2_000)]);
    const correction = movementOf('refund', 'GBP', [taxed(-10_000, -2_000), relieved(invoiced)]);
    expect(await boxesOf([sale, correction], british)).toEqual({ '1': 0, '6': 0 });
  });

  it('adds the sale back when the correction is reversed', async () => {
    const sale = movementOf('sale', 'GBP', [taxed(10_000, 2_000)]);
    const correction = movementOf('refund', 'GBP', [taxed(-10_000, -2_000), relieved(12_000)]);
    const returned = movementOf('refund_returned', 'GBP', [taxed(10_000, 2_000), relieved(-12_000)]);
    expect(await boxesOf([sale, correction, returned], british)).toEqual({ '1': 2_000, '6': 10_000 });
  });

  it('converts a correction in another currency with the exchange rates of the invoice', async () => {
    const sale = movementOf('sale', 'EUR', [taxed(10_000, 810, '0.081')]);
    const correction = movementOf('refund', 'EUR', [taxed(-10_000, -810, '0.081'), relieved(10_810)]);
    // 100.00 × 0.9634 = 96.34, and 8.10 × 0.9634 = 7.80354
    const sold = { '200': 9_634, '289': 0, '299': 9_634, '303': 9_634, '399': 780, '500': 780 };
    expect(await boxesOf([sale], swiss)).toEqual(sold);
    const corrected = { '200': 9_634, '235': 9_634, '289': 9_634, '299': 0, '399': 0, '500': 0 };
    expect(await boxesOf([sale, correction], swiss)).toEqual(corrected);
  });

  it('splits a converted sale among its tax rates, with the same sum as on its invoice', async () => {
    const sale = movementOf('sale', 'EUR', [taxed(333, 27, '0.081'), taxed(333, 9, '0.026')]);
    const boxes = await boxesOf([sale], swiss);
    // 6.66 × 0.9634 = 6.416244
    expect([boxes['200'], (boxes['303'] ?? 0) + (boxes['313'] ?? 0)]).toEqual([642, 642]);
  });
});

const abroad = (kind: MovementKind, net: number): TaxMovement => ({
  ...movementOf(kind, 'CHF', [taxed(net, net / 5)]),
  country: 'DE',
});
const isSwiss = (country: string) => country === 'GB'; // the country of the sales above

describe('the Swiss return', () => {
  const sales = [
    movementOf('sale', 'CHF', [taxed(10_000, 810, '0.081')]),
    movementOf('refund', 'CHF', [taxed(-2_000, -162, '0.081')]),
    movementOf('sale', 'CHF', [lineOf(500, 0, { rate: null, reason: 'exempt' })]),
    abroad('sale', 7_000),
    abroad('refund', -1_000),
  ];

  it('of a Swiss seller states worldwide sales, and deducts what is supplied abroad', async () => {
    expect(await boxesOf(sales, swissForm(isSwiss, true))).toEqual({
      '200': 16_500, // 100.00 and 5.00 here, 60.00 abroad
      ...{ '221': 6_000, '230': 500, '235': 2_000, '289': 8_500, '299': 8_000, '303': 8_000, '399': 648, '500': 648 },
    });
  });

  it('of a foreign seller states only sales in Switzerland', async () => {
    expect(await boxesOf(sales, swissForm(isSwiss))).toEqual({
      '200': 10_500,
      ...{ '230': 500, '235': 2_000, '289': 2_500, '299': 8_000, '303': 8_000, '399': 648, '500': 648 },
    });
  });

  it.each([
    { seller: 'a Swiss seller', form: swissForm(isSwiss, true), worldwide: 7_000 },
    { seller: 'a foreign seller', form: swissForm(isSwiss), worldwide: 0 },
  ])(
    'of $seller reduces the consideration by lost disputes, uncollectible or rescinded',
    async ({ form, worldwide }) => {
      const uncollectible = {
        ...movementOf('dispute_lost', 'CHF', [taxed(-3_000, -243, '0.081')]),
        isUncollectible: true,
      };
      const movements = [
        movementOf('sale', 'CHF', [taxed(10_000, 810, '0.081'), taxed(5_000, 130, '0.026')]),
        uncollectible as TaxMovement,
        movementOf('dispute_lost', 'CHF', [taxed(-5_000, -130, '0.026')]),
        movementOf('dispute_won', 'CHF', [taxed(1_000, 81, '0.081')]),
        movementOf('disputed', 'CHF', [taxed(-9_000, -729, '0.081')]),
        abroad('sale', 7_000),
      ];
      expect(await boxesOf(movements, form)).toEqual({
        '200': 15_000 + worldwide,
        ...(worldwide > 0 && { '221': worldwide }),
        // 30.00 and 50.00 lost, 10.00 back
        ...{ '235': 7_000, '289': 7_000 + worldwide, '299': 8_000, '303': 8_000, '399': 648, '500': 648 },
      });
    },
  );

  it.each([
    { seller: 'a Swiss seller', isEstablished: true },
    { seller: 'a foreign seller', isEstablished: false },
  ])('of $seller states negative amounts and a credit when more was refunded than sold', async ({ isEstablished }) => {
    const counter = countryReturn(
      swissForm(() => true, isEstablished),
      async () => exampleRates,
    );
    await counter.add(movementOf('refund', 'CHF', [taxed(-2_000, -162, '0.081')]));
    const { summary, notes } = await counter.finish();
    const boxes = summary.rows.filter(([section]) => section === 'box').map((row) => row[1]);
    expect(boxes).toEqual(['200', '235', '289', '299', '303', '399', '510']);
    expect(notes).toEqual([expect.stringContaining('303 is negative'), expect.stringContaining('510')]);
  });

  it('deducts as supplied abroad a sale whose place was corrected', async () => {
    const moved = movementOf('refund', 'CHF', [
      taxed(-10_000, -810, '0.081'),
      lineOf(10_000, 0, { rate: null, reason: 'no_tax' }),
    ]);
    const boxes = await boxesOf(
      [movementOf('sale', 'CHF', [taxed(10_000, 810, '0.081')]), moved],
      swissForm(() => true, true),
    );
    // code 235 has what left the rate, 221 what is abroad now
    expect(boxes).toEqual({ '200': 20_000, '221': 10_000, '235': 10_000, '289': 20_000, '299': 0, '399': 0, '500': 0 });
  });
});
