import { withdrawalPages } from '../../shared/dashboard/withdrawals/withdrawal-pages.ts';
import { env } from '../../shared/env.ts';
import { supplyFactsOf } from '../../shared/use-cases/withdrawal/load-supply.ts';
import { mails } from '../../shared/wiring/books.ts';
import { chosenLanguage, currentAddress } from '../../shared/wiring/buyer-language.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import { refunds } from '../../shared/wiring/processor.ts';
import {
  customers,
  grants,
  licenseKeys,
  newId,
  now,
  paymentLists,
  payments,
  refundAllowances,
  withdrawals,
} from '../../shared/wiring/runtime.ts';
import { refundStep } from '../../shared/wiring/selling.ts';
import { replyComposer } from '../../shared/withdrawal-page/withdrawal-mail.ts';

const supply = { mails: mails(), grants: grants(), licenseKeys: licenseKeys() };
const deps = {
  withdrawals: withdrawals(),
  payments: payments(),
  lists: paymentLists(),
  customers: customers(),
  merchantId: env.merchant().id,
  supplyOf: (payment: Parameters<typeof supplyFactsOf>[1]) => supplyFactsOf(supply, payment),
  allowances: refundAllowances(),
  refundWindowDays: env.merchant().refundWindowDays,
  refundStep,
  processor: refunds(),
  alert: alertMoney,
  mailer: mailer(),
  chosenLanguage,
  currentAddress,
  composeReply: replyComposer({
    merchant: env.merchant(),
    from: env.merchant().receipts?.from,
    isSandbox: env.stage() === 'sandbox',
  }),
  now,
  newId,
};

/** GET, POST /dashboard/withdrawals and /dashboard/withdrawals/{id} */
export const handler = dashboard(withdrawalPages(deps));
