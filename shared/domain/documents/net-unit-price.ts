import { minorUnitDigits } from '../money/currency.ts';
import { quotientHalfUp } from '../money/rounding.ts';

/** As many places as a unit price may have, so that it times the quantity comes near the line. */
const places = 4;

/**
 * The price of one unit without the tax, in major units: three for 49.99 net are `16.6633` each. The line's total
 * rules, because this is rounded to four places (VAT Directive, art. 226(8)).
 */
export function netUnitPrice(net: number, quantity: number, currency: string): string {
  const digits = minorUnitDigits(currency);
  const units = quotientHalfUp(BigInt(net) * 10n ** BigInt(places - digits), BigInt(quantity));
  const text = String(units).padStart(places + 1, '0');
  const fraction = text.slice(-places).replace(/0+$/, '').padEnd(digits, '0');
  return fraction === '' ? text.slice(0, -places) : `${text.slice(0, -places)}.${fraction}`;
}
