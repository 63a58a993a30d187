import { paymentPages } from '../../shared/dashboard/payments/payment-pages.ts';
import { env } from '../../shared/env.ts';
import * as books from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import { refunds } from '../../shared/wiring/processor.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const { id: merchantId, country: merchantCountry } = env.merchant();
const payments = { ...runtime.countedPayments(), ...runtime.paymentLists() };
const deps = {
  payments,
  products: runtime.products(),
  grants: runtime.grants(),
  entitlements: runtime.entitlements(),
  licenseKeys: runtime.licenseKeys(),
  sessions: runtime.sessions(),
  disputes: runtime.disputes(),
  documents: books.documents(),
  filedReturns: books.filedReturns(),
  mails: books.mails(),
  withdrawals: runtime.withdrawals(),
  payouts: runtime.payouts(),
  discounts: runtime.discounts(),
  taxSettings: selling.taxSettings,
  events: runtime.events(),
  deliveries: runtime.deliveries(),
  webhooks: runtime.webhooks(),
  allowances: runtime.refundAllowances(),
  processor: refunds(),
  alert: alertMoney,
  refundWindowDays: env.merchant().refundWindowDays,
  refundStep: selling.refundStep,
  merchantId,
  merchantCountry,
  site: runtime.site,
  now: runtime.now,
  newId: runtime.newId,
  canMail: books.mailsDocuments(),
  functionLogs: env.functionLogs(),
};

/** GET, POST /dashboard/payments /dashboard/payments/{id} */
export const handler = dashboard(paymentPages(deps));
