import { emptyPage } from '../../shared/domain/list-page.ts';
import { ProductQuery, presentProductItem, productTerms } from '../../shared/wire/catalogue/product.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { products, site } from '../../shared/wiring/runtime.ts';

const deps = { products: products() };

/** GET /products */
export const handler = endpoint(
  { access: 'read', query: ProductQuery, present: presentPage(presentProductItem(site()), productTerms) },
  async ({ query, walk }) => {
    if (query.recurring) return emptyPage;
    return deps.products.list({ archived: query.archived, brandId: query.brand_id }, toPageRequest(query, walk));
  },
);
