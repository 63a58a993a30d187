import type { Brands } from '../domain/catalogue/brand.ts';
import { type Policies, policyKinds } from '../domain/catalogue/policies.ts';
import { notFound } from '../domain/errors.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { branded, contextOf, type PageContext } from '../pages/page-context.ts';
import { keys, type ReadAhead } from '../store/keys.ts';
import type { CheckoutEnvironment } from './checkout-context.ts';
import { policyPage } from './views/policy-page.ts';

interface ShowPolicyPageDeps {
  env: CheckoutEnvironment;
  brands: { get: () => Promise<Brands>; policies: () => Promise<Policies> };
  readAhead: ReadAhead;
}

/** The page of the seller's terms, privacy policy or refund policy. */
export const showPolicyPage = (deps: ShowPolicyPageDeps): PageRoute => ({
  answer: (request) => deps.readAhead([keys.brands(), keys.policies()], () => showPolicy(deps, request)),
  refuse: refuseIn(deps.env),
});

async function showPolicy(deps: ShowPolicyPageDeps, request: PageRequest): Promise<Page> {
  const [{ brands, policies = [] }, { texts }] = await Promise.all([deps.brands.get(), deps.brands.policies()]);
  const kind = policyKinds.find((known) => known === request.param('kind'));
  const text = kind && texts[kind];
  if (!text) throw notFound('policy', request.param('kind'));
  const context = contextOf(deps.env, request);
  const [primary] = brands;
  const shown: PageContext = { ...(primary ? branded(context, primary) : context), policies };
  return policyPage(shown, kind, text);
}
