import { allocate } from '../../money/allocation.ts';
import { convertAmount, convertsBetween, type DayRates } from '../../money/exchange-rates.ts';
import { sum } from '../../money/money.ts';
import { proportion } from '../../money/rounding.ts';
import type { TaxMovement } from './movement.ts';

/** The exchange rates of a sale's invoice; undefined if there are none. */
export type RatesOfSale = (movement: TaxMovement) => Promise<DayRates | undefined>;

/** Returns a function that converts the amounts of a movement to a currency; undefined if there are no rates. */
export async function converterTo(currency: string, ratesOf: RatesOfSale, movement: TaxMovement) {
  if (movement.currency === currency) return (amount: number) => amount;
  const rates = await ratesOf(movement);
  const pair = { from: movement.currency, to: currency };
  return rates && convertsBetween(rates, pair) ? (amount: number) => convertAmount(amount, rates, pair) : undefined;
}

interface Amounts {
  net: number;
  tax: number;
}

/**
 * The parts of a movement, each also in the currency of a return. Undefined if there are no rates for the currency of
 * the sale.
 */
export async function inLocalCurrency<Part extends Amounts>(
  movement: TaxMovement,
  parts: readonly Part[],
  { currency, ratesOf }: { currency: string; ratesOf: RatesOfSale },
): Promise<(Part & { localNet: number; localTax: number })[] | undefined> {
  const convert = await converterTo(currency, ratesOf, movement);
  if (!convert) return undefined;
  const convertAll = (figure: keyof Amounts) =>
    convertParts(
      parts.map((part) => part[figure]),
      convert,
    );
  const [nets, taxes] = [convertAll('net'), convertAll('tax')];
  return parts.map((part, index) => ({ ...part, localNet: nets[index] ?? 0, localTax: taxes[index] ?? 0 }));
}

/**
 * Converts the sum of a movement's parts and divides the result over them, so it equals the amount on the document. A
 * corrected invoice is two documents, so its cancelled amounts and its new amounts are converted separately.
 */
function convertParts(amounts: readonly number[], convert: (amount: number) => number): number[] {
  const convertSide = (side: readonly number[]) => allocate(convert(sum(side)), side);
  const added = convertSide(amounts.map((amount) => Math.max(0, amount)));
  const taken = convertSide(amounts.map((amount) => Math.max(0, 0 - amount)));
  return amounts.map((_, index) => (added[index] as number) - (taken[index] as number));
}

/** The notes of a return about the currencies that have no exchange rates. */
export const unconvertedNotes = (currencies: Iterable<string>): string[] =>
  [...currencies].map((currency) => `There are no rates for sales in ${currency}: they are left out.`);

const minorUnits = 100;

/** An amount in whole units, without its cents: `-199` → -1. Some tax forms require bases in this form. */
export const withoutCents = (amount: number): number => (amount - (amount % minorUnits)) / minorUnits;

/** An amount in whole units, rounded; a half is rounded away from zero: `-150` → -2. */
export const roundedUnits = (amount: number): number =>
  amount < 0 ? 0 - proportion(0 - amount, 1, minorUnits) : proportion(amount, 1, minorUnits);
