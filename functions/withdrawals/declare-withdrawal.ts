import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { page } from '../../shared/http/page.ts';
import { documents } from '../../shared/wiring/books.ts';
import { chosenLanguage, currentAddress } from '../../shared/wiring/buyer-language.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import { proofUrlOf } from '../../shared/wiring/selling.ts';
import { acknowledgementComposer, noticeComposer } from '../../shared/withdrawal-page/withdrawal-mail.ts';
import { withdrawalRoute } from '../../shared/withdrawal-page/withdrawal-route.ts';

const merchant = env.merchant();
const from = merchant.receipts?.from;
const frame = { merchant, from, isSandbox: env.stage() === 'sandbox' };
const deps = {
  withdrawals: runtime.withdrawals(),
  payments: runtime.payments(),
  lists: runtime.paymentLists(),
  customers: runtime.customers(),
  documents: documents(),
  throttles: runtime.throttles(),
  brands: runtime.brands(),
  readAhead: runtime.readAhead,
  mailer: mailer(),
  compose: acknowledgementComposer(frame),
  composeNotice: noticeComposer(frame),
  proofUrl: proofUrlOf,
  chosenLanguage,
  currentAddress,
  stackSecret: runtime.findStackSecret,
  hashOf: hashApiKey,
  alert: alertMoney,
  newToken: () => runtime.randomText(22),
  newId: runtime.newId,
  now: runtime.now,
  merchantId: merchant.id,
  merchant,
  stage: env.stage(),
  publicUrl: env.publicUrl(),
  answerMs: 500,
};

/** GET, POST /withdraw, /withdraw/confirm, /orders/{payment_id}/withdraw */
export const handler = page(withdrawalRoute(deps));
