import * as z from 'zod';
import { grantedUnits } from '../entitlements/cart-keys.ts';
import { Amount, sum } from '../money/money.ts';
import type { Payment } from '../payments/payment.ts';
import type { RefundBrief } from '../payments/refund.ts';

/** What some sales are to give, by kind: files, links and texts, licence keys, and access flags. */
export const GivenCounts = z.object({ digital_files: z.int(), license_key: z.int(), feature_flag: z.int() });
export type GivenCounts = z.infer<typeof GivenCounts>;

/** The sum of many payments in minor units. */
const Total = z.int().min(0);

/** The sales of a period in one currency. `refunded` is what was refunded in this period, even for earlier sales. */
export const SalesTotals = z.object({
  currency: z.string(),
  count: z.int(),
  net: Total,
  tax: Total,
  gross: Total,
  refunded: Total,
  /**
   * The amount lost in disputes that were opened in this period, even for earlier sales. The stored days do not contain
   * it.
   */
  lost: Total.default(0),
  /** The processor's fees, as far as they are known and in this currency. */
  fees: Total,
  /** The number of payments without a known fee in this currency. */
  feesUnknown: z.int(),
  /** What the sales are to give. Absent for days that earlier versions have counted. */
  given: GivenCounts.optional(),
});
export type SalesTotals = z.infer<typeof SalesTotals>;

export const ProductSales = z.object({
  id: z.string(),
  /** The product's name on the newest payment. */
  name: z.string(),
  currency: z.string(),
  units: z.int(),
  gross: Total,
  /** How many units were sold at each amount per unit, lowest amount first. */
  amounts: z.array(z.tuple([Amount, z.int()])),
});
export type ProductSales = z.infer<typeof ProductSales>;

/** The sales in a period, in every currency. */
export const Sales = z.object({ totals: z.array(SalesTotals), products: z.array(ProductSales) });
export type Sales = z.infer<typeof Sales>;

export const noSales: Sales = { totals: [], products: [] };

const nothingGiven: GivenCounts = { digital_files: 0, license_key: 0, feature_flag: 0 };

export const noTotals = (currency: string): SalesTotals => ({
  currency,
  count: 0,
  net: 0,
  tax: 0,
  gross: 0,
  refunded: 0,
  lost: 0,
  fees: 0,
  feesUnknown: 0,
  given: nothingGiven,
});

/** The sales of successful payments, and the refunds of the same period. */
export function salesOf(payments: readonly Payment[], refunds: readonly RefundBrief[]): Sales {
  const sold = payments.filter(({ status }) => status === 'succeeded');
  const returned = refunds.filter(({ status }) => status === 'succeeded');
  return addSales([...sold.map(saleOf), ...returned.map(returnOf)]);
}

/** Counts what a sale gives. */
function givenBy(lines: Payment['lines']): GivenCounts {
  const given = lines.flatMap(({ entitlements = [], quantity }) =>
    entitlements.map(({ type }) => ({ type, units: grantedUnits(type, quantity) })),
  );
  const count = (type: keyof GivenCounts) => sum(given.filter((one) => one.type === type).map(({ units }) => units));
  return {
    digital_files: count('digital_files'),
    license_key: count('license_key'),
    feature_flag: count('feature_flag'),
  };
}

const saleOf = ({ currency, net, tax, gross, fee, lines }: Payment): Sales => {
  const isKnown = fee?.currency === currency;
  const fees = { fees: isKnown ? fee.amount : 0, feesUnknown: isKnown ? 0 : 1 };
  return {
    totals: [{ ...noTotals(currency), count: 1, net, tax, gross, ...fees, given: givenBy(lines) }],
    products: lines.map(({ productId: id, name, quantity: units, unitAmount, gross: paid }) => ({
      id,
      name,
      currency,
      units,
      gross: paid,
      amounts: [[unitAmount, units]],
    })),
  };
};

const returnOf = ({ currency, amount }: RefundBrief): Sales => ({
  totals: [{ ...noTotals(currency), refunded: amount }],
  products: [],
});

/** The amount that a lost dispute took, in the form of sales. It counts neither as a sale nor as a refund. */
export const lossOf = (currency: string, lost: number): Sales => ({
  totals: [{ ...noTotals(currency), lost }],
  products: [],
});

/** The part of the paid money that the merchant keeps. */
export const keptOf = ({ gross, refunded, lost, fees }: SalesTotals): number => gross - refunded - lost - fees;

/** The sum of the sales of several periods, given newest first. */
export const addSales = (sales: readonly Sales[]): Sales => ({
  totals: groupsOf(
    sales.flatMap(({ totals }) => totals),
    ({ currency }) => currency,
  ).map(addTotals),
  products: groupsOf(
    sales.flatMap(({ products }) => products),
    ({ id, currency }) => `${id} ${currency}`,
  ).map(addProducts),
});

type Group<Item> = readonly [Item, ...Item[]];

const groupsOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Group<Item>[] =>
  [...Map.groupBy(items, keyOf).values()] as unknown as Group<Item>[];

const addTotals = (totals: Group<SalesTotals>): SalesTotals => {
  const added = (field: Exclude<keyof SalesTotals, 'currency' | 'given'>) => sum(totals.map((one) => one[field]));
  return {
    currency: totals[0].currency,
    count: added('count'),
    net: added('net'),
    tax: added('tax'),
    gross: added('gross'),
    refunded: added('refunded'),
    lost: added('lost'),
    fees: added('fees'),
    feesUnknown: added('feesUnknown'),
    given: addGiven(totals.map(({ given }) => given)),
  };
};

/** The sum of what was given. Undefined if it is unknown for a part of the sales. */
function addGiven(counts: readonly (GivenCounts | undefined)[]): GivenCounts | undefined {
  const known = counts.filter((one) => one !== undefined);
  if (known.length < counts.length) return undefined;
  const added = (type: keyof GivenCounts) => sum(known.map((one) => one[type]));
  return {
    digital_files: added('digital_files'),
    license_key: added('license_key'),
    feature_flag: added('feature_flag'),
  };
}

const addProducts = (sales: Group<ProductSales>): ProductSales => ({
  ...sales[0],
  units: sum(sales.map(({ units }) => units)),
  gross: sum(sales.map(({ gross }) => gross)),
  amounts: groupsOf(
    sales.flatMap(({ amounts }) => amounts),
    ([amount]) => String(amount),
  )
    .map((same): [number, number] => [same[0][0], sum(same.map(([, units]) => units))])
    .sort(([a], [b]) => a - b),
});

const mostProducts = 40;
const mostAmounts = 20;

/**
 * Shortens the sales of a day so that they fit into a row. It keeps the products with the highest sales, and for each
 * its most frequent amounts and the lowest one.
 */
export const keptSales = ({ totals, products }: Sales): Sales => ({
  totals,
  products: products
    .toSorted((a, b) => b.gross - a.gross)
    .slice(0, mostProducts)
    .map((product) => ({ ...product, amounts: keptAmounts(product.amounts) })),
});

function keptAmounts([lowest, ...others]: ProductSales['amounts']): ProductSales['amounts'] {
  if (!lowest) return [];
  const frequent = others.toSorted(([, a], [, b]) => b - a).slice(0, mostAmounts - 1);
  return [lowest, ...frequent.sort(([a], [b]) => a - b)];
}
