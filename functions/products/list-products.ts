import { emptyPage } from '../../shared/domain/list-page.ts';
import { withEntitlements } from '../../shared/use-cases/catalogue/attached-entitlements.ts';
import { ProductQuery, presentProductItem, productTerms } from '../../shared/wire/catalogue/product.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, products, site } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), entitlements: entitlements() };

/** GET /products */
export const handler = endpoint(
  { access: 'read', query: ProductQuery, present: presentPage(presentProductItem(site()), productTerms) },
  async ({ query, walk }) => {
    if (query.recurring) return emptyPage;
    const filter = { archived: query.archived, brandId: query.brand_id };
    const page = await deps.products.list(filter, toPageRequest(query, walk));
    return { ...page, items: await withEntitlements(deps, page.items) };
  },
);
