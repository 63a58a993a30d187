import { showPolicyPage } from '../../shared/checkout-page/show-policy-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { brands, readAhead } from '../../shared/wiring/runtime.ts';

/** GET /policies/{kind} /policies/{kind}/{hash} */
export const handler = page(showPolicyPage({ env, brands: brands(), readAhead }));
