import { expect, it } from 'vitest';
import { salesByCountry } from '../../../shared/domain/reports/overview.ts';

const part = (country: string, net: number, more = {}) => ({
  ...{ country, region: null, isBusiness: false, currency: 'EUR', net, count: 1 },
  ...more,
});

it('the sales by country add up regions and kinds of buyers, in one currency, beside the period before', () => {
  const parts = [
    part('SE', 500),
    part('DE', 300),
    part('DE', 400, { isBusiness: true }),
    part('DE', 9, { currency: 'USD' }),
  ];
  expect(salesByCountry(parts, [part('DE', 100)], 'EUR')).toEqual([
    // 300 + 400 = 700
    { country: 'DE', currency: 'EUR', payments: 2, net: 700, before: 100 },
    { country: 'SE', currency: 'EUR', payments: 1, net: 500, before: 0 },
  ]);
  expect(salesByCountry(parts, null, 'USD')).toEqual([
    { country: 'DE', currency: 'USD', payments: 1, net: 9, before: null },
  ]);
});
