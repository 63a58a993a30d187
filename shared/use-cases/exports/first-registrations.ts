import type { TaxRulesStore } from '../../store/tax-rules-store.ts';
import type { FirstRegistrations } from '../../tax/rules/tax-rules.ts';

/**
 * Stores a copy of the current registrations if there is none yet. A process reads the copy only once, because it never
 * changes.
 */
export function rememberingFirst(
  taxRules: Pick<TaxRulesStore, 'keepFirst'>,
  now: () => Date,
): () => Promise<FirstRegistrations> {
  let first: FirstRegistrations | undefined;
  return async () => {
    first ??= await taxRules.keepFirst(now());
    return first;
  };
}
