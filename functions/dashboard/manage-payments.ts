import { paymentPages } from '../../shared/dashboard/payments/payment-pages.ts';
import { env } from '../../shared/env.ts';
import * as books from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { refunds } from '../../shared/wiring/processor.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const { id: merchantId } = env.merchant();
const payments = { ...runtime.countedPayments(), ...runtime.paymentLists() };
const notices = { events: runtime.events(), deliveries: runtime.deliveries(), webhooks: runtime.webhooks() };
const refunding = { allowances: runtime.refundAllowances(), processor: refunds(), ...selling.refundRules() };
const world = { merchantId, site: runtime.site, now: runtime.now, newId: runtime.newId };
const sold = { payments, products: runtime.products(), sessions: runtime.sessions() };
const stores = { ...sold, documents: books.documents(), taxSettings: selling.taxSettings };
const deps = { ...stores, ...notices, ...refunding, ...world, functionLogs: env.functionLogs() };

/** GET, POST /dashboard/payments /dashboard/payments/{id} */
export const handler = dashboard(paymentPages(deps));
