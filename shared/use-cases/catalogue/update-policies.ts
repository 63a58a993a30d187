import { fieldsOf } from '../../domain/access/audit.ts';
import { type PolicyTexts, policyKinds, publishedKinds } from '../../domain/catalogue/policies.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { retryStale } from '../retry.ts';

export interface UpdatePoliciesDeps {
  brands: Pick<BrandStore, 'get' | 'policies' | 'savePolicies'>;
}

/** Replaces all policy texts at once. An empty text removes its link from the pages. */
export const updatePolicies = (
  deps: UpdatePoliciesDeps,
  texts: PolicyTexts,
  claim: Claim<PolicyTexts>,
): Promise<PolicyTexts> =>
  retryStale(async () => {
    const [brands, before] = await Promise.all([deps.brands.get(), deps.brands.policies()]);
    const changed = policyKinds.filter((kind) => (texts[kind] ?? '') !== (before.texts[kind] ?? ''));
    const details = { changed: fieldsOf(Object.fromEntries(changed.map((kind) => [kind, true]))) };
    await deps.brands.savePolicies(
      { policies: { ...before, texts }, brands: { ...brands, policies: publishedKinds(texts) } },
      claim(texts, { command: 'policies.update', subject: 'policies', details }),
    );
    return texts;
  });
