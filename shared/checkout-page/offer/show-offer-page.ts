import { wishFor } from '../../domain/catalogue/accepted-wish.ts';
import type { Brands } from '../../domain/catalogue/brand.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { assertAddress, type ReturnRules } from '../../domain/return-address.ts';
import type { Page, PageRequest, PageRoute } from '../../http/page.ts';
import { findLocale } from '../../pages/locale.ts';
import { refuseIn } from '../../pages/notices/refused-page.ts';
import { contextOf } from '../../pages/page-context.ts';
import { keys, type ReadAhead } from '../../store/keys.ts';
import { type GuardedCodesDeps, guardedCodes } from '../../use-cases/discounts/guarded-codes.ts';
import type { OfferLink } from '../../wire/checkout/offer-link.ts';
import { type CheckoutEnvironment, underBrand } from '../checkout-context.ts';
import { unavailablePage } from '../checkout-responses.ts';
import { offerPage } from './offer-page.ts';
import { offerParameters, typedAmount } from './offer-parameters.ts';
import { shownCountry, shownOffer } from './shown-offer.ts';

interface ShowOfferPageDeps extends GuardedCodesDeps {
  env: CheckoutEnvironment;
  products: { get: (id: string) => Promise<Product> };
  brands: { get: () => Promise<Brands> };
  readAhead: ReadAhead;
  returnRules: ReturnRules;
}

/** The page of a product's link. It does not open a session yet. If no session could be opened, it shows an error. */
export const showOfferPage = (deps: ShowOfferPageDeps): PageRoute => ({
  answer: (request) =>
    deps.readAhead([keys.product(request.param('id')), keys.brands()], () => showOffer(deps, request)),
  refuse: refuseIn(deps.env),
});

async function showOffer(deps: ShowOfferPageDeps, request: PageRequest): Promise<Page> {
  const product = await deps.products.get(request.param('id'));
  const context = await underBrand(deps, contextOf(deps.env, request), product);
  if (product.archived) return unavailablePage(context);
  const { carried, link } = offerParameters(request);
  assertLinked(product, link, deps.returnRules);
  const { country } = shownCountry(deps, request, link.country);
  const typed = typedAmount(request.query);
  const loadCodes = guardedCodes(deps, request.source);
  const offer = await shownOffer({ ...deps, loadCodes }, { product, link, country, typed, locale: context.locale });
  const language = findLocale(request.query('lang'));
  return offerPage(context, { product, publicUrl: deps.env.publicUrl(), carried, offer, language });
}

/** Refuses what the checkout would also refuse. So the buyer never sees a price that cannot be paid. */
function assertLinked(product: Product, { amount, return_url }: OfferLink, rules: ReturnRules): void {
  if (amount !== undefined) wishFor(product, { amount }, 'amount');
  if (return_url !== undefined) assertAddress('return_url', return_url, rules);
}
