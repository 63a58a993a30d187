import { isPaidCurrency, minorUnitDigits } from '../../../domain/money/currency.ts';
import { maxAmount } from '../../../domain/money/money.ts';
import { ProcessorError } from '../../../domain/processor.ts';
import type { ChargeLimits } from '../payment-processor.ts';

/** Currencies that have no minor unit at Stripe. Source: docs.stripe.com/currencies, "Zero-decimal currencies". */
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/**
 * Currencies with three decimals at Stripe. The last one must be 0. Source: the same page, "Three-decimal currencies".
 */
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));

/** Stripe's largest amount, in its own unit: eight digits, and twelve in Indonesian rupiahs. */
const mostOfTheirs = (currency: string): number => (currency === 'IDR' ? 999_999_999_999 : 99_999_999);

/**
 * Stripe's minimum charge by currency, in our minor units. These are only hints. Stripe checks the amount after
 * conversion into the account's currency, and refuses a charge that is too small when it begins.
 */
const minimums: Readonly<Record<string, number>> = {
  ...{ AUD: 50, BRL: 50, CAD: 50, CHF: 50, EUR: 50, INR: 50, NZD: 50, SGD: 50, USD: 50, GBP: 30 },
  ...{ AED: 200, MYR: 200, PLN: 200, RON: 200, BGN: 100, DKK: 250, NOK: 300, SEK: 300, HKD: 400 },
  ...{ CZK: 1_500, HUF: 17_500, MXN: 1_000, THB: 1_000, JPY: 50 },
};

function theirDigits(currency: string): number {
  if (zeroDecimal.has(currency)) return 0;
  return threeDecimal.has(currency) ? 3 : 2;
}

/**
 * The amounts that Stripe can charge in a currency, in our minor units. Undefined if Stripe does not support the
 * currency, or if its unit is uncertain. Sources disagree about UGX. IQD and LYD have three decimals here, but are not
 * in Stripe's list of such currencies.
 */
export function limits(currency: string): ChargeLimits | undefined {
  const surplus = minorUnitDigits(currency) - theirDigits(currency);
  const isKnown = surplus === 0 || currency === 'MGA';
  if (!isKnown) return undefined;
  const unit = 10 ** surplus;
  const step = threeDecimal.has(currency) ? 10 : unit;
  const most = Math.min(mostOfTheirs(currency) * unit, maxAmount);
  return { minimum: minimums[currency] ?? step, maximum: most - (most % step), step, unit };
}

/** Whether Stripe can move the amount: it must be a multiple of Stripe's step for the currency. */
export const isMovable = ({ amount, currency }: { amount: number; currency: string }): boolean =>
  amount % (limits(currency)?.step ?? 0) === 0;

/** Our amount in Stripe's unit. Throws if Stripe cannot move it. */
export function toStripe(amount: number, currency: string): number {
  const known = limits(currency);
  if (!known || amount % known.step !== 0)
    throw new ProcessorError('refused', `Stripe cannot charge ${amount} units of ${currency}.`);
  return amount / known.unit;
}

/** Stripe's amount in our minor unit. Stripe writes the currency in lower case. */
export function fromStripe(amount: number, theirCurrency: string): { amount: number; currency: string } {
  const currency = theirCurrency.toUpperCase();
  const known = limits(currency);
  if (!known) throw new ProcessorError('contradiction', `Stripe’s unit of ${currency} is not certain.`);
  return { amount: amount * known.unit, currency };
}

/**
 * An amount that the account settles, in our minor unit. Null if the minor unit of the currency is not certain.
 * Accounts can settle in currencies in which we do not sell, such as the Icelandic króna.
 */
export function settledAmount(amount: number, theirCurrency: string): { amount: number; currency: string } | null {
  const currency = theirCurrency.toUpperCase();
  const known = isPaidCurrency(currency) ? limits(currency) : undefined;
  const ours = amount * (known?.unit ?? 0);
  return known && ours >= 0 && ours <= maxAmount ? { amount: ours, currency } : null;
}
