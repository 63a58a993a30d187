import { discountPages } from '../../shared/dashboard/discounts/discount-pages.ts';
import { env } from '../../shared/env.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const deps = {
  discounts: runtime.discounts(),
  guests: runtime.discountGuests(),
  products: runtime.products(),
  payments: runtime.paymentLists(),
  publicUrl: env.publicUrl(),
  merchantId: env.merchant().id,
  now: runtime.now,
  newId: runtime.newId,
  randomText: runtime.randomText,
};

/** GET, POST /dashboard/discounts /dashboard/discounts/{id} */
export const handler = dashboard(discountPages(deps));
