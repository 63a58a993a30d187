import { refusedPage } from '../../shared/checkout-page/checkout-responses.ts';
import { offerPage } from '../../shared/checkout-page/views/offer-page.ts';
import { shownBrand } from '../../shared/domain/catalogue/brand.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { env } from '../../shared/env.ts';
import { type Page, type PageRequest, page } from '../../shared/http/page.ts';
import { branded, type PageContext, pageContext } from '../../shared/pages/page-context.ts';
import { brands, products, readAhead } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';

const deps = { products: products(), brands: brands() };

const contextOf = (request: PageRequest): PageContext => pageContext(request, env.merchant(), env.stage());

/** GET /buy/{id}: looking at a product opens nothing, whoever follows the link. */
export const handler = page(
  (refusal, request) => refusedPage(contextOf(request), refusal, request),
  (request) => readAhead([keys.product(request.param('id')), keys.brands()], () => show(request)),
);

async function show(request: PageRequest): Promise<Page> {
  const [product, all] = await Promise.all([deps.products.get(request.param('id')), deps.brands.get()]);
  if (product.archived) throw new DomainError('NOT_FOUND', `The product ${product.id} is not on sale.`);
  return offerPage(branded(contextOf(request), shownBrand(all, product.brandId)), product);
}
