import type { CountedDiscount } from '../../shared/domain/discounts/discount.ts';
import { listDiscounts } from '../../shared/use-cases/discounts/list-discounts.ts';
import {
  DiscountQuery,
  discountTerms,
  matchesDiscount,
  presentDiscount,
} from '../../shared/wire/discounts/discount.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discounts, now, site } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts(), now };
const present = presentPage<CountedDiscount>(presentDiscount(site()), discountTerms);

/** GET /discounts */
export const handler = endpoint({ access: 'read', query: DiscountQuery, present }, ({ query, walk }) => {
  const filter = { active: query.active, matches: matchesDiscount(query) };
  return listDiscounts(deps, filter, toPageRequest(query, walk));
});
