import { currencyFloor } from '../money/currency.ts';

/**
 * The amounts that a processor charges in a currency, in minor units: from the minimum to the maximum, in whole
 * steps.
 */
interface ChargeTerms {
  minimum: number;
  maximum: number;
  step: number;
}

/** Why a card cannot be charged an amount, with the nearest amount that it can be charged. */
export type ChargeFault =
  | { kind: 'currency' }
  | { kind: 'minimum' | 'step'; least: number }
  | { kind: 'maximum'; most: number };

/**
 * Checks whether a processor can charge an amount. Without terms, it charges nothing in the currency. 0 needs no
 * processor.
 */
export function chargeFault(amount: number, currency: string, terms: ChargeTerms | undefined): ChargeFault | undefined {
  if (amount === 0) return undefined;
  if (!terms) return { kind: 'currency' };
  const least = Math.max(currencyFloor(currency), terms.minimum);
  if (amount < least) return { kind: 'minimum', least };
  if (amount > terms.maximum) return { kind: 'maximum', most: terms.maximum };
  return amount % terms.step === 0 ? undefined : { kind: 'step', least: terms.step };
}
