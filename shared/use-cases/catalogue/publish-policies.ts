import { fieldsOf } from '../../domain/access/audit.ts';
import type { Brands } from '../../domain/catalogue/brand.ts';
import {
  earlierChanges,
  earlierKinds,
  earlierTexts,
  hashesOf,
  type Policies,
  type PolicyChange,
  type PolicyLog,
  publish,
} from '../../domain/catalogue/policies.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import type { BrandStore, ChangedPolicies } from '../../store/catalogue/brand-store.ts';
import { retryStale } from '../retry.ts';

export interface PublishPoliciesDeps {
  brands: Pick<BrandStore, 'get' | 'policies' | 'policyLog' | 'savePolicies'>;
  /** The language of the merchant's country. The texts of version 0.2.0 are in this language. */
  policyLanguage: string;
  now: () => Date;
}

/** The most entries of the log, so that it fits into one row. */
const mostPublications = 2_000;

/**
 * Publishes texts. A changed text becomes a new version, and the earlier versions stay for ever. An empty text removes
 * the link to it.
 */
export const publishPolicies = (
  deps: PublishPoliciesDeps,
  changes: readonly PolicyChange[],
  claim: Claim<readonly PolicyChange[]>,
): Promise<readonly PolicyChange[]> =>
  retryStale(async () => {
    const read = await readPolicies(deps);
    const names = changes.map(({ kind, language }) => [`${kind} (${language})`, true]);
    const details = { changed: fieldsOf(Object.fromEntries(names)) };
    const records = claim(changes, { command: 'policies.update', subject: 'policies', details });
    await deps.brands.savePolicies(changed(deps, read, changes), records);
    return changes;
  });

/**
 * Publishes the texts that version 0.2.0 wrote, and restores the fields of the brands that 0.2.0 dropped. Returns
 * whether there was anything to do.
 */
export const adoptPolicies = (deps: PublishPoliciesDeps): Promise<boolean> =>
  retryStale(async () => {
    if ((await deps.brands.get()).texts) return false;
    const read = await readPolicies(deps);
    if (read.policies.version + read.log.version === 0) return false;
    await deps.brands.savePolicies(changed(deps, read, []), []);
    return true;
  });

interface ReadPolicies {
  brands: Brands;
  policies: Policies;
  log: PolicyLog;
}

async function readPolicies(deps: PublishPoliciesDeps): Promise<ReadPolicies> {
  const [brands, policies, log] = await Promise.all([
    deps.brands.get(),
    deps.brands.policies(),
    deps.brands.policyLog(),
  ]);
  return { brands, policies, log };
}

function changed(
  { policyLanguage: language, now }: PublishPoliciesDeps,
  { brands, policies, log }: ReadPolicies,
  changes: readonly PolicyChange[],
): ChangedPolicies {
  const all = [...earlierChanges(policies, language), ...changes];
  const published = publish(log, all, now().toISOString());
  if (published.log.publications.length > mostPublications)
    throw new DomainError(
      'INVALID_REQUEST_PARAMETERS',
      brokenRule(sentences.too_many, { most: mostPublications, entries: 'versions' }),
    );
  const texts = earlierTexts(policies, all, language);
  return {
    ...published,
    policies: { ...policies, texts, language },
    brands: { ...brands, policies: earlierKinds.filter((kind) => texts[kind]), texts: hashesOf(published.log) },
  };
}
