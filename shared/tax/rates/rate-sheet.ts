import type { TaxCategory } from '../../domain/checkout/tax.ts';
import type { ReliefWording } from '../../domain/documents/document.ts';

/** A decimal string, such as `0.09975` for 9.975 %. Never a number, which could be inexact. */
type Decimal = `${number}`;

/** A category. `standard` is the rate of a place for categories without their own rate. */
export type RateCategory = TaxCategory | 'standard';

/**
 * How certain a fact is. `high`: sources agree. `medium`: one source or a majority. `low`: sources differ, or it is an
 * assumption.
 */
export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];

/**
 * How a place treats a sale. `no_tax`: it has no such tax. `outside_scope`: it does not belong to its country's tax
 * area.
 */
export const taxabilities = ['taxable', 'zero_rated', 'exempt', 'not_taxable', 'no_tax', 'outside_scope'] as const;
export type Taxability = (typeof taxabilities)[number];

/** The taxes by name, in the order of printing. A pair is a rate and the taxed part of the net. */
type Taxes = Readonly<Record<string, Decimal | readonly [rate: Decimal, baseFraction: Decimal]>>;

/** One rate: `['standard saas', { VAT: '0.19' }, '2021-01-01..', 'high', 'avalara sales-tax', 'a remark']`. */
export type RateLine = readonly [
  /** The categories of the line, separated by spaces. */
  categories: string,
  /** The taxes, or why there is none. A rate of `0` means zero-rated. */
  taxes: Taxes | Exclude<Taxability, 'taxable' | 'zero_rated'>,
  /** Local dates, `from..to`. The last date is no longer valid. A missing date means no limit. */
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

/**
 * Who owes the tax on a sale to a business with an accepted tax id, if the seller is established elsewhere.
 * - `relieved`: the seller adds no tax; the buyer reports it, or owes none
 * - `charged`: the seller charges it, as soon as it is registered there
 * - `by_scheme`: relieved under a simplified registration, charged under a standard one
 * - `no_seller_scheme`: foreign sellers cannot register, so nothing is collected
 */
const businessModes = ['relieved', 'charged', 'by_scheme', 'no_seller_scheme'] as const;
export type BusinessMode = (typeof businessModes)[number];

/** The rule of a place for its businesses. */
export type BusinessLine = readonly [BusinessMode, ReliefWording, Confidence, sources: string, note?: string];

/** The tax of a US state. It is levied on the part `baseFraction` of the price. */
export const stateTax = (rate: Decimal, baseFraction: Decimal = '1'): Taxes => ({
  'State sales tax': [rate, baseFraction],
});
