import { isCurrency, minorUnitDigits } from '../../../shared/domain/money/currency.ts';
import { decimalOf } from '../../../shared/pages/format.ts';
import { UsageError } from '../../usage-error.ts';

/** Formats 123456 and EUR as `1234.56 EUR`, without rounding and always with the currency. */
export const moneyText = (amount: number, currency: string): string => `${decimalOf(amount, currency)} ${currency}`;

/**
 * A typed amount in minor units: `5.00` in EUR → 500. All decimals of the currency must be typed, so that 500 cents are
 * never taken for 500 euros.
 */
export function minorUnitsOf(option: string, text: string, currency: string): number {
  if (!isCurrency(currency))
    throw new UsageError(`The currency must be a code of ISO 4217 such as EUR: not ${currency}.`);
  const digits = minorUnitDigits(currency);
  const pattern = digits === 0 ? /^\d{1,13}$/ : new RegExp(`^\\d{1,11}\\.\\d{${digits}}$`);
  const amount = Number(text.replace('.', ''));
  if (pattern.test(text) && Number.isSafeInteger(amount)) return amount;
  const example = decimalOf(5 * 10 ** digits, currency);
  throw new UsageError(`${option} must be an amount of ${currency} with all its decimals, such as ${example}.`);
}

/** A decimal number as an integer with so many digits behind the point: `12.5` and 2 → 1250. Undefined for other texts. */
export function decimalIn(text: string, digits: number): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,11})(?:\.(\d{1,12}))?$/.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(digits))) return undefined;
  return Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}

/** An amount in a file in minor units: `12.5` in EUR → 1250. Undefined if it is no amount of this currency. */
export const minorUnitsIn = (text: string, currency: string): number | undefined =>
  isCurrency(currency) ? decimalIn(text, minorUnitDigits(currency)) : undefined;
