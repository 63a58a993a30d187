import { describe, expect, it } from 'vitest';
import type { DayRates } from '../../shared/domain/money/exchange-rates.ts';
import type { TaxMovement } from '../../shared/domain/reports/returns/movement.ts';
import { openReturn } from '../../shared/use-cases/exports/open-return.ts';

/** A small Polish seller's sale in euro to a consumer in Germany: 100.00 + 23.00, taxed at home. */
const sale: TaxMovement = {
  ...{ kind: 'sale', id: 'pay_1', paymentId: 'pay_1', date: '2031-03-20', saleDate: '2031-03-20', currency: 'EUR' },
  ...{ country: 'DE', region: null, registrations: ['reg_1'], schemes: ['standard'], net: 10_000, tax: 2_300 },
  lines: [
    {
      ...{ category: 'saas', net: 10_000, taxedIn: 'PL' },
      components: [{ name: 'VAT', jurisdiction: 'PL', rate: '0.23', reason: null, tax: 2_300 }],
    },
  ],
};
const day = (date: string, PLN: string): DayRates => ({ date, source: 'European Central Bank', perEuro: { PLN } });
/** The rates that the invoice printed, and those that were published for the same day later. */
const [printed, published] = [day('2031-03-17', '4.0000'), day('2031-03-19', '5.0000')];

const invoiced = { document: { localTax: { currency: 'PLN', rates: printed, tax: 9_200 } } };

const open = (kind: 'home' | 'oss', invoice: object = invoiced) =>
  openReturn(
    {
      rates: { newestBefore: async () => published, firstFrom: async () => published },
      documents: { find: async () => invoice as never },
      merchantCountry: 'PL',
    },
    { kind, from: '2031-01-01', to: '2031-03-31' },
    [],
  );

describe('a small seller’s sale that is taxed at home, in a foreign currency', () => {
  it.each([
    { of: 'its invoice', invoice: invoiced, net: 40_000, tax: 9_200 }, // 100.00 and 23.00 at 4.0000
    { of: 'its day, without an invoice', invoice: {}, net: 50_000, tax: 11_500 },
  ])('is in the home return at the rates of $of', async ({ invoice, net, tax }) => {
    const home = open('home', invoice);
    expect(await home?.add(sale)).toBe('counted');
    const [total] = (await home?.finish())?.summary.rows ?? [];
    expect(total?.slice(11, 14)).toEqual(['PLN', { amount: net, currency: 'PLN' }, { amount: tax, currency: 'PLN' }]);
  });

  it('is not in the OSS return, even if the sale also has the scheme OSS', async () => {
    const oss = open('oss');
    expect(await oss?.add({ ...sale, schemes: ['oss'] })).toBe('other');
    const rows = (await oss?.finish())?.summary.rows ?? [];
    expect(rows.map(([section]) => section)).toEqual(['due']);
  });
});
