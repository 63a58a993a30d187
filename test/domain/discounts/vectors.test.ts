import { describe, expect, it } from 'vitest';
import { assertTotal } from '../../../shared/domain/catalogue/price.ts';
import { quote } from '../../../shared/domain/checkout/quote.ts';
import type { DiscountTerms } from '../../../shared/domain/discounts/discount-terms.ts';
import { takeDiscounts } from '../../../shared/domain/discounts/take-discounts.ts';
import { decideRefund, settledRefund } from '../../../shared/domain/payments/refund.ts';
import { listedLine } from '../../support/shop/discounts.ts';
import { aPayment, quoteLine, refundOf } from '../../support/shop/payments.ts';
import published from './vectors.json' with { type: 'json' };

interface VectorLine {
  price_minor: number;
  quantity: number;
  rates: string[];
  base_fractions?: string[];
  inclusive: boolean;
  minimum_minor?: number;
}

interface VectorCode {
  type: 'percentage' | 'flat';
  amount: number;
  /** Indexes of the lines that the code is for; an empty list means products that are not in the cart. */
  lines?: number[];
  below_minimum?: boolean;
  options?: Record<string, { max_amount_possible?: number; minimum_subtotal?: number }>;
}

interface Figures {
  gross_minor: number;
  tax_minor: number;
  net_minor?: number;
  discount_minor?: number;
  component_taxes_minor: number[];
}

interface Vector {
  id: string;
  currency: string;
  lines: VectorLine[];
  codes: VectorCode[];
  expected_error?: string;
  expected_listed_minor?: number;
  expected_discount_minor?: number;
  expected_code_discounts_minor?: number[];
  expected_redeemed?: boolean[];
  expected_lines?: Figures[];
  expected_net_minor?: number;
  expected_tax_minor?: number;
  expected_gross_minor?: number;
  expected_breakup?: { subtotal: number; discount: number; tax: number; total_amount: number };
  refunds?: {
    amount_minor?: number;
    tax_inclusive?: boolean;
    items?: { line: number; amount_minor?: number }[];
    expected_gross_minor: number;
    expected_tax_minor: number;
    expected_lines: Figures[];
  }[];
}

const vectors = published as unknown as Vector[];

const termsOf = ({ type, amount, lines, below_minimum = false, options = {} }: VectorCode, index: number) =>
  ({
    id: `dsc_${index}`,
    code: `CODE${index}`,
    type,
    amount,
    restrictedTo: lines?.map((line) => `pdt_${line}`).concat(lines.length === 0 ? ['pdt_other'] : []) ?? [],
    belowMinimum: below_minimum,
    currencies: Object.entries(options).map(([currency, terms], at) => ({
      currency,
      isDefault: at === 0,
      maximum: terms.max_amount_possible ?? null,
      minimumSubtotal: terms.minimum_subtotal ?? 0,
    })),
  }) satisfies DiscountTerms;

const listedOf = ({ lines, currency }: Vector) =>
  lines.map((line, index) =>
    listedLine(index, {
      unitAmount: line.price_minor,
      quantity: line.quantity,
      minimum: line.minimum_minor ?? null,
      taxInclusive: line.inclusive,
      currency,
    }),
  );

const soldOf = (line: VectorLine, discount: number) => ({
  unitAmount: line.price_minor,
  quantity: line.quantity,
  taxInclusive: line.inclusive,
  rates: line.rates,
  baseFractions: line.base_fractions ?? [],
  discount,
});

function priced(vector: Vector) {
  const taken = takeDiscounts(listedOf(vector), vector.codes.map(termsOf), vector.currency);
  const sold = vector.lines.map((line, index) => soldOf(line, taken.lines[index] as number));
  const result = quote(sold.map(quoteLine));
  assertTotal(result.gross, vector.currency);
  return { taken, sold, result };
}

const accepted = vectors.filter(({ expected_error }) => expected_error === undefined);

describe('the 64 published examples of carts with discount codes', () => {
  it('are all in the test’s file', () => expect(vectors).toHaveLength(64));

  it.each(accepted)('$id: each code takes off the expected amount, and the tax is calculated on the rest', (vector) => {
    const { taken, result } = priced(vector);
    expect(taken.codes).toEqual(vector.expected_code_discounts_minor);
    expect(taken.codes.map((amount) => amount > 0)).toEqual(vector.expected_redeemed);
    expect(taken.lines.reduce((total, amount) => total + amount, 0)).toBe(vector.expected_discount_minor);
    expect([result.net, result.tax, result.gross]).toEqual([
      vector.expected_net_minor,
      vector.expected_tax_minor,
      vector.expected_gross_minor,
    ]);
    expect(
      result.lines.map(({ discount, net, tax, gross, components }) => ({
        discount_minor: discount,
        net_minor: net,
        tax_minor: tax,
        gross_minor: gross,
        component_taxes_minor: components.map(({ amount }) => amount),
      })),
    ).toEqual(vector.expected_lines);
  });

  it.each(vectors.filter((vector) => !accepted.includes(vector)))('$id is refused with $expected_error', (vector) => {
    expect(() => priced(vector)).toThrow(expect.objectContaining({ code: vector.expected_error }));
  });

  it.each(accepted.filter(({ refunds }) => refunds))(
    '$id: refunds return what was paid after the discount',
    (vector) => {
      let payment = aPayment(priced(vector).sold, vector.currency);
      for (const [index, expected] of (vector.refunds ?? []).entries()) {
        const asked = refundOf({
          amount: expected.amount_minor ?? null,
          taxInclusive: expected.tax_inclusive ?? true,
          items:
            expected.items?.map(({ line, amount_minor }) => ({
              productId: `pdt_${line}`,
              amount: amount_minor ?? null,
              taxInclusive: expected.tax_inclusive ?? true,
            })) ?? null,
        });
        const { after, refund } = decideRefund(payment, asked, { id: `ref_${index}`, now: payment.createdAt });
        expect([refund.amount, refund.tax]).toEqual([expected.expected_gross_minor, expected.expected_tax_minor]);
        expect(
          refund.lines.map(({ amount, tax, components }) => ({
            gross_minor: amount,
            tax_minor: tax,
            component_taxes_minor: components,
          })),
        ).toEqual(expected.expected_lines.filter(({ gross_minor }) => gross_minor > 0));
        payment =
          settledRefund(after, refund, { status: 'succeeded', reference: 're_1' }, payment.createdAt)?.after ?? after;
      }
    },
  );
});
