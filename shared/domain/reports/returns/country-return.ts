import { allocate } from '../../money/allocation.ts';
import { convertAmount, convertsBetween, type DayRates } from '../../money/exchange-rates.ts';
import { sum } from '../../money/money.ts';
import { namedKind, type TaxMovement } from './movement.ts';
import { quarterOfDay } from './period.ts';
import { type FinishedReturn, percentCell, type ReturnCounter, type ReturnTable } from './return-file.ts';
import { summing } from './sums.ts';

/** The form of a country's own tax return. */
export interface CountryForm {
  currency: string;
  /** Whether a sale to a country belongs to this form. */
  isOf: (country: string) => boolean;
  /** The boxes of the form, calculated from the counted rows. */
  boxes: (rows: readonly CountryRow[]) => readonly { box: string; amount: number }[];
}

interface CountryKey {
  kind: string;
  saleQuarter: string;
  rate: string | null;
  reason: string | null;
  currency: string;
}

/** `localNet` and `localTax` are in the currency of the return. */
export type CountryRow = CountryKey & { net: number; tax: number; localNet: number; localTax: number };

/** The exchange rates of a sale's invoice; undefined if there are none. */
export type RatesOfSale = (movement: TaxMovement) => Promise<DayRates | undefined>;

const header = [
  'section',
  'box',
  'kind',
  'sale_period',
  'rate_percent',
  'reason',
  'currency',
  'net',
  'tax',
  'local_currency',
  'local_net',
  'local_tax',
];

/**
 * The sales to one country and their refunds, in its currency, by the rates of their invoices. A refund is in the
 * period in which it was paid, and names the period of its sale.
 */
export function countryReturn(form: CountryForm, ratesOf: RatesOfSale): ReturnCounter {
  const sums = summing<CountryKey, { net: number; tax: number; localNet: number; localTax: number }>();
  const unconverted = new Set<string>();
  return {
    add: async (movement) => {
      if (!form.isOf(movement.country)) return 'other';
      const convert = await converterOf(form, ratesOf, movement);
      if (!convert) {
        unconverted.add(movement.currency);
        return 'left_out';
      }
      const parts = partsOf(movement);
      const localNets = convertParts(
        parts.map(({ net }) => net),
        convert,
      );
      const localTaxes = convertParts(
        parts.map(({ tax }) => tax),
        convert,
      );
      for (const [index, { net, tax, ...key }] of parts.entries())
        sums.add(
          {
            kind: namedKind(movement),
            saleQuarter: quarterOfDay(movement.saleDate),
            ...key,
            currency: movement.currency,
          },
          { net, tax, localNet: localNets[index] ?? 0, localTax: localTaxes[index] ?? 0 },
        );
      return 'counted';
    },
    finish: async (): Promise<FinishedReturn> => ({
      summary: tableOf(form, sums.rows()),
      notes: [...unconverted].map((currency) => `There are no rates for sales in ${currency}: they are left out.`),
    }),
  };
}

async function converterOf({ currency }: CountryForm, ratesOf: RatesOfSale, movement: TaxMovement) {
  if (movement.currency === currency) return (amount: number) => amount;
  const rates = await ratesOf(movement);
  const pair = { from: movement.currency, to: currency };
  return rates && convertsBetween(rates, pair) ? (amount: number) => convertAmount(amount, rates, pair) : undefined;
}

interface RatePart {
  rate: string | null;
  reason: string | null;
  net: number;
  tax: number;
}

/** The parts of a movement by rate. A country with its own return here has only one tax. */
function partsOf({ lines }: TaxMovement): RatePart[] {
  const parts = summing<{ rate: string | null; reason: string | null }, { net: number; tax: number }>();
  for (const { net, components } of lines)
    for (const { rate, reason, tax } of components.slice(0, 1)) parts.add({ rate, reason }, { net, tax });
  return parts.rows();
}

/**
 * Converts the sum of a movement's parts and divides the result over them, so it matches the document. A corrected
 * invoice is two documents: the cancelled amounts and the new ones are converted separately, and not added together.
 */
function convertParts(amounts: readonly number[], convert: (amount: number) => number): number[] {
  const convertSide = (side: readonly number[]) => allocate(convert(sum(side)), side);
  const added = convertSide(amounts.map((amount) => Math.max(0, amount)));
  const taken = convertSide(amounts.map((amount) => Math.max(0, 0 - amount)));
  return amounts.map((_, index) => (added[index] as number) - (taken[index] as number));
}

/**
 * Whether a row counts in a box of the return. Disputes count in none, and neither do sales that the country does not
 * tax.
 */
export const counts = ({ kind, reason }: CountryRow): boolean =>
  kind !== 'disputed' && (reason === null || reason === 'zero_rated' || reason === 'exempt');

function tableOf({ currency: local, boxes }: CountryForm, rows: readonly CountryRow[]): ReturnTable {
  const money = (amount: number, currency: string) => ({ amount, currency });
  return {
    header,
    rows: [
      ...boxes(rows).map(({ box, amount }) => [
        'box',
        box,
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        local,
        '',
        money(amount, local),
      ]),
      ...rows.map(({ kind, saleQuarter, rate, reason, currency, net, tax, localNet, localTax }) => [
        kind === 'disputed' ? 'not_counted' : 'detail',
        '',
        kind,
        saleQuarter,
        percentCell(rate),
        reason,
        currency,
        money(net, currency),
        money(tax, currency),
        local,
        money(localNet, local),
        money(localTax, local),
      ]),
    ],
  };
}

const totalOf = (rows: readonly CountryRow[], figure: 'localNet' | 'localTax'): number =>
  sum(rows.filter(counts).map((row) => row[figure]));

/**
 * The form of Great Britain. Box 1 is the VAT due on sales, box 6 their value without it. Figures are in pence; the
 * form wants whole pounds in box 6.
 */
export const britishForm = (isOf: CountryForm['isOf']): CountryForm => ({
  currency: 'GBP',
  isOf,
  boxes: (rows) => [
    { box: '1', amount: totalOf(rows, 'localTax') },
    { box: '6', amount: totalOf(rows, 'localNet') },
  ],
});

/** The codes of the Swiss form by tax rate: before 2024, and since then. */
const swissCodes: Readonly<Record<string, string>> = { '0.077': '302', '0.081': '303', '0.025': '312', '0.026': '313' };

/**
 * The form of Switzerland and Liechtenstein: 200 is the turnover, then its part at each rate without tax, and 399 the
 * tax.
 */
export const swissForm = (isOf: CountryForm['isOf']): CountryForm => ({
  currency: 'CHF',
  isOf,
  boxes: (rows) => [
    { box: '200', amount: totalOf(rows, 'localNet') },
    ...Object.entries(swissCodes).flatMap(([rate, box]) => {
      const amount = totalOf(
        rows.filter((row) => row.rate === rate),
        'localNet',
      );
      return amount === 0 ? [] : [{ box, amount }];
    }),
    { box: '399', amount: totalOf(rows, 'localTax') },
  ],
});
