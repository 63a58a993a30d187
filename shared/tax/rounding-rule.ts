import type { RoundingRule } from '../domain/checkout/tax.ts';

/** Countries whose invoices round once for each rate, no matter whether prices include tax. */
const oncePerRate: ReadonlySet<string> = new Set(['JP']);

/** Which lines of a sale are taxed together. */
export const roundingRuleOf = (country: string): RoundingRule =>
  oncePerRate.has(country) ? 'rate_set' : 'rate_set_and_behaviour';
