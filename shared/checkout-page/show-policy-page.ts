import type { Brands } from '../domain/catalogue/brand.ts';
import {
  currentPolicy,
  earlierKinds,
  type Policies,
  type PolicyKind,
  type PolicyVersion,
  policyKinds,
  publishedKinds,
} from '../domain/catalogue/policies.ts';
import { languageOfCountry } from '../domain/country-language.ts';
import { notFound } from '../domain/errors.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { branded, contextOf, type PageContext, withdrawUrlOf } from '../pages/page-context.ts';
import { keys, type ReadAhead, type RowKey } from '../store/keys.ts';
import type { CheckoutEnvironment } from './checkout-context.ts';
import { policyPage, type ShownPolicy } from './views/policy-page.ts';

interface ShowPolicyPageDeps {
  env: CheckoutEnvironment;
  brands: {
    get: () => Promise<Brands>;
    policies: () => Promise<Policies>;
    policyText: (hash: string) => Promise<PolicyVersion | undefined>;
  };
  readAhead: ReadAhead;
}

/**
 * The page of a text of the seller. It shows the current version in the reader's language, or the version with a given
 * hash.
 */
export const showPolicyPage = (deps: ShowPolicyPageDeps): PageRoute => ({
  answer: (request) => deps.readAhead(rowsOf(request), () => showPolicy(deps, request)),
  refuse: refuseIn(deps.env),
});

const rowsOf = (request: PageRequest): RowKey[] => {
  const hash = request.param('hash');
  return hash ? [keys.brands(), keys.policyVersion(hash)] : [keys.brands()];
};

async function showPolicy(deps: ShowPolicyPageDeps, request: PageRequest): Promise<Page> {
  const all = await deps.brands.get();
  const context = contextOf(deps.env, request);
  const kind = policyKinds.find((known) => known === request.param('kind'));
  const hash = request.param('hash');
  const policy = kind && (await (hash ? versionOf(deps, kind, hash) : currentOf(deps, all, { kind, context })));
  if (!policy) throw notFound('policy', request.param('kind'));
  const [primary] = all.brands;
  const shown = {
    ...(primary ? branded(context, primary) : context),
    policies: publishedKinds(all),
    withdrawUrl: withdrawUrlOf(all),
  };
  return policyPage(shown, { ...policy, kind });
}

type FoundPolicy = Omit<ShownPolicy, 'kind'>;

async function versionOf({ brands }: ShowPolicyPageDeps, kind: PolicyKind, hash: string): Promise<FoundPolicy | null> {
  const version = await brands.policyText(hash);
  return version?.kind === kind ? version : null;
}

/**
 * The current text in the reader's language. If there is none, it is the one in the language of the merchant's country.
 */
async function currentOf(
  { brands, env }: ShowPolicyPageDeps,
  all: Brands,
  { kind, context: { locale } }: { kind: PolicyKind; context: PageContext },
): Promise<Pick<PolicyVersion, 'language' | 'text'> | undefined> {
  const language = languageOfCountry(env.merchant().country);
  if (all.texts === undefined) {
    const earlier = earlierKinds.find((one) => one === kind);
    const text = earlier && (await brands.policies()).texts[earlier];
    return text ? { language, text } : undefined;
  }
  const current = currentPolicy(all, kind, [locale, language]);
  const version = current && (await brands.policyText(current.hash));
  return version && { language: version.language, text: version.text };
}
