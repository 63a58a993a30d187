import { one, quotientHalfUp, rateTimesFraction } from '../money/rounding.ts';
import type { DocumentLine } from './document.ts';

/** What a discount took off a line without the tax: `listed − amount` is the net of the line. */
export interface LineAllowance {
  listed: number;
  amount: number;
}

/**
 * The discount of a line without the tax; undefined where it is none. A displayed price with the tax in it is taken apart
 * at the line's rate, half up, and the allowance is what lies between that and the net, which never moves: so the sum is
 * exact, and the allowance may be a unit away from the discount without its tax. Where rounding leaves nothing of it,
 * there is no allowance.
 * @param rate the one tax of the line, a decimal string; null for none
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
