import { showCheckoutPage } from '../../shared/checkout-page/show-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const sold = { ...runtime.catalogue(), brands: runtime.brands() };
const stores = { sessions: runtime.sessions(), payments: runtime.payments(), ...sold };
const reads = { readAhead: runtime.readAhead, taxSettings: selling.taxSettings };
const ways = { cards: selling.offeredCards(), payOrigins: selling.payOrigins() };
const world = { checkTaxId, takesPayments: selling.takesPayments, now: runtime.now, randomText: runtime.randomText };

/** GET /checkout/{id} */
export const handler = page(showCheckoutPage({ ...stores, ...reads, ...ways, ...world, env }));
