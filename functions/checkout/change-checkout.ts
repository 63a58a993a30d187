import { changeCheckoutPage } from '../../shared/checkout-page/change-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { charges } from '../../shared/wiring/processor.ts';
import { countedPayments, newId, now, readAhead, sessions } from '../../shared/wiring/runtime.ts';

const deps = {
  sessions: sessions(),
  payments: countedPayments(),
  readAhead,
  env,
  processor: charges(),
  newId,
  now,
};

/** POST /checkout/{id}/change */
export const handler = page(changeCheckoutPage(deps));
