import type { Brands } from '../domain/catalogue/brand.ts';
import type { Product } from '../domain/catalogue/product.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { keys, type ReadAhead } from '../store/keys.ts';
import { type CheckoutEnvironment, contextOf, refuseIn, underBrand } from './checkout-context.ts';
import { unavailablePage } from './checkout-responses.ts';
import { offerParameters } from './form/offer-parameters.ts';
import { offerPage } from './views/offer-page.ts';

interface ShowOfferPageDeps {
  env: CheckoutEnvironment;
  products: { get: (id: string) => Promise<Product> };
  brands: { get: () => Promise<Brands> };
  readAhead: ReadAhead;
}

/** The page of a product's link. Showing it opens no session. */
export const showOfferPage = (deps: ShowOfferPageDeps): PageRoute => ({
  answer: (request) =>
    deps.readAhead([keys.product(request.param('id')), keys.brands()], () => showOffer(deps, request)),
  refuse: refuseIn(deps.env),
});

async function showOffer(deps: ShowOfferPageDeps, request: PageRequest): Promise<Page> {
  const product = await deps.products.get(request.param('id'));
  const context = await underBrand(deps, contextOf(deps.env, request), product);
  if (product.archived) return unavailablePage(context);
  return offerPage(context, { product, publicUrl: deps.env.publicUrl(), ...offerParameters(request) });
}
