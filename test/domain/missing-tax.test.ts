import { describe, expect, it } from 'vitest';
import { costOfMissingTax } from '../../shared/domain/checkout/missing-tax.ts';
import { quote } from '../../shared/domain/checkout/quote.ts';
import { quoteLine, type SoldLine } from '../support/shop/payments.ts';

const cost = (sold: SoldLine, rate: string): number => {
  const [item] = quote([quoteLine(sold)]).lines;
  return costOfMissingTax(item!, rate);
};

describe('a further tax that a price did not include', () => {
  it('is taken out of the net of an inclusive price: 100.00 with 7 % has 93.46 net, with 8 % 92.59', () => {
    expect(cost({ unitAmount: 10_000, rates: ['0.07'] }, '0.01')).toBe(9_346 - 9_259); // 10000/1.07 = 9345.79, 10000/1.08 = 9259.26
  });

  it('is added to an exclusive price, based on its net: 1 % of 100.00', () => {
    expect(cost({ unitAmount: 10_000, taxInclusive: false, rates: ['0.07'] }, '0.01')).toBe(100);
  });

  it('is calculated on the same part of the price as the state’s tax: 80 % of a service in Texas', () => {
    const line = quoteLine({ unitAmount: 10_000, taxInclusive: false, rates: ['0.0625'] });
    const components = line.treatment.components.map((component) => ({ ...component, baseFraction: '0.8' }));
    const [item] = quote([{ ...line, treatment: { components, warnings: [] } }]).lines;
    expect(costOfMissingTax(item!, '0.01')).toBe(80);
  });

  it('is 0 for a price of 0', () => {
    expect(cost({ unitAmount: 0 }, '0.01')).toBe(0);
  });
});
