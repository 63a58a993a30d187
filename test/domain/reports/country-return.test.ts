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
    expect(await boxesOf([sale], swiss)).toEqual({ '200': 9_634, '303': 9_634, '399': 780 });
    expect(await boxesOf([sale, correction], swiss)).toEqual({ '200': 0, '399': 0 });
  });

  it('splits a converted sale among its tax rates, with the same sum as on its invoice', async () => {
    const sale = movementOf('sale', 'EUR', [taxed(333, 27, '0.081'), taxed(333, 9, '0.026')]);
    const boxes = await boxesOf([sale], swiss);
    // 6.66 × 0.9634 = 6.416244
    expect([boxes['200'], (boxes['303'] ?? 0) + (boxes['313'] ?? 0)]).toEqual([642, 642]);
  });
});
