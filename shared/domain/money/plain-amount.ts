import { minorUnitDigits } from './currency.ts';

/** An amount in minor units with its decimals, for machines and bookkeepers: 123456 → `1234.56`. */
export function plainAmount(amount: number, currency: string): string {
  const digits = minorUnitDigits(currency);
  const sign = amount < 0 ? '-' : '';
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const point = text.length - digits;
  return sign + (digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`);
}
