import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { TaxRulesStore } from '../store/tax-rules-store.ts';
import type { TaxRules } from '../tax/tax-rules.ts';
import { retryStale } from './retry.ts';

export interface ChangeTaxRulesDeps {
  taxRules: TaxRulesStore;
}

/** Applies one change to the rules as they are at that moment; payments keep the figures they were made with. */
export function changeTaxRules(
  deps: ChangeTaxRulesDeps,
  change: (rules: TaxRules) => TaxRules,
  records: (rules: TaxRules) => IdempotencyRecord[],
): Promise<TaxRules> {
  return retryStale(async () => {
    const rules = change(await deps.taxRules.get());
    await deps.taxRules.save(rules, records(rules));
    return rules;
  });
}
