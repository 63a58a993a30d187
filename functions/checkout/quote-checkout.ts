import { quoteCheckoutPage } from '../../shared/checkout-page/quote-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { holdsApiKey } from '../../shared/http/key-holder.ts';
import { page } from '../../shared/http/page.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const sold = { ...runtime.catalogue(), brands: runtime.brands() };
const stores = { sessions: runtime.sessions(), payments: runtime.payments(), ...sold };
const reads = { readAhead: runtime.readAhead, taxSettings: selling.taxSettings, holdsApiKey };
const ways = { cards: selling.offeredCards(), payOrigins: selling.payOrigins() };
const world = { checkTaxId, loadCodes, now: runtime.now };

/** POST /checkout/{id}/quote */
export const handler = page(quoteCheckoutPage({ ...stores, ...reads, ...ways, ...world, env }));
