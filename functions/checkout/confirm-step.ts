import { stepCheckoutPage } from '../../shared/checkout-page/step-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { brands, payments, readAhead, sessions } from '../../shared/wiring/runtime.ts';

/** GET, POST /checkout/{id}/step */
export const handler = page(
  stepCheckoutPage({ sessions: sessions(), payments: payments(), brands: brands(), readAhead, env }),
);
