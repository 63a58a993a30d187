import type { TaxRulesStore } from '../../store/tax-rules-store.ts';
import type { FirstRegistrations } from '../../tax/rules/tax-rules.ts';

/** Takes the snapshot of the registrations if there is none. A worker reads it once, because it never changes. */
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
