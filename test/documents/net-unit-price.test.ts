import fc from 'fast-check';
import { expect, it } from 'vitest';
import { netUnitPrice } from '../../shared/domain/documents/net-unit-price.ts';

it.each([
  [4_999, 3, 'EUR', '16.6633'],
  [5_000, 3, 'EUR', '16.6667'],
  [1_680, 1, 'EUR', '16.80'],
  [1_999, 2, 'EUR', '9.995'],
  [2_727, 3, 'JPY', '909'],
  [1_000, 3, 'JPY', '333.3333'],
  [10_000, 3, 'KWD', '3.3333'],
  [9_091, 1, 'KWD', '9.091'],
  [1, 3, 'EUR', '0.0033'],
  [0, 2, 'EUR', '0.00'],
])('a line of %i net for %i pieces in %s has the net unit price %s', (net, quantity, currency, price) => {
  expect(netUnitPrice(net, quantity, currency)).toBe(price);
});

it('the unit price times the quantity is the line, within half of the last decimal for each piece', () => {
  fc.assert(
    fc.property(fc.nat(2_147_483_647), fc.integer({ min: 1, max: 1_000 }), (net, quantity) => {
      const [whole = '', fraction = ''] = netUnitPrice(net, quantity, 'EUR').split('.');
      const tenThousandths = BigInt(whole + fraction.padEnd(4, '0')) * BigInt(quantity);
      const difference = tenThousandths - BigInt(net) * 100n;
      expect(2n * (difference < 0n ? -difference : difference) <= BigInt(quantity)).toBe(true);
    }),
  );
});
