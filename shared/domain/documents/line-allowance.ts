import { one, quotientHalfUp, rateTimesFraction } from '../money/rounding.ts';
import type { DocumentLine } from './document.ts';

/** The discount of a line without tax: `listed − amount` is the net of the line. */
export interface LineAllowance {
  listed: number;
  amount: number;
}

/**
 * The discount of a line without tax; undefined if there is none. If the displayed price includes tax, the tax at the
 * line's rate is removed, rounded half up. The allowance is the difference between that list price and the net of the
 * line, which never changes. The sum is therefore exact, but the allowance can differ by one minor unit from the
 * discount without tax. If rounding leaves nothing, there is no allowance.
 * @param rate the rate of the line's only tax, a decimal string; null for none
 */
export function lineAllowance(line: DocumentLine, rate: string | null): LineAllowance | undefined {
  const { unitAmount, quantity, discount = 0, taxInclusive, net } = line;
  if (discount === 0 || unitAmount === null || quantity === null || net < 0) return undefined;
  const displayed = unitAmount * quantity;
  const listed = taxInclusive ? withoutTax(displayed, rate ?? '0') : displayed;
  return listed > net ? { listed, amount: listed - net } : undefined;
}

const withoutTax = (gross: number, rate: string): number =>
  quotientHalfUp(BigInt(gross) * one, one + rateTimesFraction(rate, '1'));
