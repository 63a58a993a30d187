import { payCheckoutPage } from '../../shared/checkout-page/pay-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { holdsApiKey } from '../../shared/http/key-holder.ts';
import { page } from '../../shared/http/page.ts';
import { eligibility, loadCodes } from '../../shared/wiring/discounts.ts';
import { assertConnected, charges } from '../../shared/wiring/processor.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const sold = { ...runtime.catalogue(), brands: runtime.brands() };
const stores = { sessions: runtime.sessions(), payments: runtime.countedPayments(), ...sold };
const reads = { readAhead: runtime.readAhead, taxSettings: selling.taxSettings, holdsApiKey };
const ways = { cards: selling.offeredCards(), payOrigins: selling.payOrigins() };
const seller = { env, merchantId: env.merchant().id, processor: charges(), assertConnected, ...ways };
const world = { checkTaxId, loadCodes, eligibility, newId: runtime.newId, now: runtime.now };

/** POST /checkout/{id}/pay */
export const handler = page(payCheckoutPage({ ...stores, ...reads, ...seller, ...world }));
