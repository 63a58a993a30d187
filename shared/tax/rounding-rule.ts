import type { RoundingRule } from '../domain/checkout/tax.ts';

/** Countries whose invoices round once for each rate, even if some prices include tax and others do not. */
const oncePerRate: ReadonlySet<string> = new Set(['JP']);

/** The rule that decides which lines of a sale are taxed together. */
export const roundingRuleOf = (country: string): RoundingRule =>
  oncePerRate.has(country) ? 'rate_set' : 'rate_set_and_behaviour';
