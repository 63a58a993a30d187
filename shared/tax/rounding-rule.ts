import type { RoundingRule } from '../domain/checkout/tax.ts';
import { firstTableVersion } from './rates/table-version.ts';

/** Countries whose invoices round once for each rate, no matter whether prices include tax. */
const oncePerRate: ReadonlySet<string> = new Set(['JP']);

/** Which lines of a sale are taxed together. A session of version 0.1 keeps the rule of its table. */
export const roundingRuleOf = (country: string, tableVersion: string): RoundingRule =>
  oncePerRate.has(country) && tableVersion !== firstTableVersion ? 'rate_set' : 'rate_set_and_behaviour';
