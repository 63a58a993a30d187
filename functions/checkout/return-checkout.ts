import { returnCheckoutPage } from '../../shared/checkout-page/return-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { charges } from '../../shared/wiring/processor.ts';
import { brands, countedPayments, newId, now, readAhead, sessions } from '../../shared/wiring/runtime.ts';

const deps = {
  sessions: sessions(),
  payments: countedPayments(),
  brands: brands(),
  readAhead,
  env,
  processor: charges(),
  newId,
  now,
};

/** GET /checkout/{id}/return */
export const handler = page(returnCheckoutPage(deps));
