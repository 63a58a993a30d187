import type { TaxCategory } from '../../domain/checkout/tax.ts';

/** A decimal string, never a number: `0.09975` for 9.975 %. */
type Decimal = `${number}`;

/** `standard` is the rate of a place for categories without a rate. */
export type RateCategory = TaxCategory | 'standard';

/** `high`: agreeing sources; `medium`: one source or a majority; `low`: conflict or assumption. */
export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];

/** How a place treats a sale; `no_tax`: it has no such tax; `outside_scope`: it is outside its country's tax area. */
export const taxabilities = ['taxable', 'zero_rated', 'exempt', 'not_taxable', 'no_tax', 'outside_scope'] as const;
export type Taxability = (typeof taxabilities)[number];

/** The taxes by name, in the order of printing. A pair is a rate and the part of the net that it applies to. */
type Taxes = Readonly<Record<string, Decimal | readonly [rate: Decimal, baseFraction: Decimal]>>;

/** One rate: `['standard saas', { VAT: '0.19' }, '2021-01-01..', 'high', 'avalara sales-tax', 'a remark']`. */
export type RateLine = readonly [
  /** The categories of the line, separated by spaces. */
  categories: string,
  /** The taxes, or why there is none. A rate of `0` means zero-rated. */
  taxes: Taxes | Exclude<Taxability, 'taxable' | 'zero_rated'>,
  /** Local dates, `from..to`, without the last one. A missing date means no limit. */
  validity: `${string}..${string}`,
  confidence: Confidence,
  /** Keys of `sources`, separated by spaces. */
  sources: string,
  note?: string,
];

/** The rates of one part of the world, by place: `DE`, `US-TX`, `ES-CN`. */
export interface RateSheet {
  /** When the whole sheet was last compared with its sources. */
  checkedOn: string;
  rates: Readonly<Record<string, readonly RateLine[]>>;
}

/** What an earlier version of the table said of the places that have changed since; of all others, it said the same. */
export interface SupersededRates extends RateSheet {
  version: string;
}

/** The tax of a US state, on `baseFraction` of the price. */
export const stateTax = (rate: Decimal, baseFraction: Decimal = '1'): Taxes => ({
  'State sales tax': [rate, baseFraction],
});
