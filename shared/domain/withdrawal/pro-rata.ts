import { dayMs } from '../duration.ts';
import { proportion } from '../money/rounding.ts';
import type { LineSupply } from './supply.ts';

/** The payment for the used part of a service: `owed = price × used / of`, where half a minor unit is rounded up. */
export interface ProRata {
  /** The price of the line, with tax. */
  price: number;
  /** The days that were used, and all days of the service. */
  used: number;
  of: number;
  owed: number;
}

/**
 * The payment for the used part of a service that began on the buyer's request (Directive 2011/83/EU, art. 14(3)). It
 * counts full days until the declaration. Undefined if the service has not begun, or has no known end.
 */
export function proRataOf(price: number, { begunAt, until }: LineSupply, declaredAt: string): ProRata | undefined {
  if (begunAt === null || until === null || Date.parse(until) <= Date.parse(begunAt)) return undefined;
  const days = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;
  const of = Math.ceil(days(begunAt, until));
  const used = Math.min(of, Math.max(0, Math.floor(days(begunAt, declaredAt))));
  return { price, used, of, owed: proportion(price, used, of) };
}
