import { setTimeout as pause } from 'node:timers/promises';
import type { Context, ScheduledEvent } from 'aws-lambda';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { reportUnnotified } from '../../shared/use-cases/alerts/report-notifications.ts';
import { sweepDue } from '../../shared/use-cases/sweep-due.ts';
import { decideByItself } from '../../shared/use-cases/withdrawal/decide-by-itself.ts';
import { supplyFactsOf } from '../../shared/use-cases/withdrawal/load-supply.ts';
import { settleWithdrawal } from '../../shared/use-cases/withdrawal/settle-withdrawal.ts';
import { mails } from '../../shared/wiring/books.ts';
import { chosenLanguage, currentAddress } from '../../shared/wiring/buyer-language.ts';
import { sendWebhook, webhookSpeed } from '../../shared/wiring/delivery.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import { alertMoney, countDisabled, countVersion, measureSwept } from '../../shared/wiring/metrics.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import { everythingButNotifications } from '../../shared/wiring/processor.ts';
import { askRegisterAgain } from '../../shared/wiring/registers.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import { proofUrlOf, refundStep, taxSettings } from '../../shared/wiring/selling.ts';
import { worker } from '../../shared/wiring/worker.ts';
import {
  acknowledgementComposer,
  noticeComposer,
  replyComposer,
} from '../../shared/withdrawal-page/withdrawal-mail.ts';

const from = env.merchant().receipts?.from;
const frame = { merchant: env.merchant(), from, isSandbox: env.stage() === 'sandbox' };
const supplying = { mails: mails(), grants: runtime.grants(), licenseKeys: runtime.licenseKeys() };
const withdrawing = {
  withdrawals: runtime.withdrawals(),
  payments: runtime.payments(),
  brands: runtime.brands(),
  supplyOf: (payment: Payment) => supplyFactsOf(supplying, payment),
  allowances: runtime.refundAllowances(),
  refundWindowDays: undefined,
  refundStep,
  processor: everythingButNotifications(),
  newId: runtime.newId,
  throttles: runtime.throttles(),
  mailer: mailer(),
  compose: acknowledgementComposer(frame),
  composeNotice: noticeComposer(frame),
  composeReply: replyComposer(frame),
  proofUrl: proofUrlOf,
  chosenLanguage,
  currentAddress,
  hashOf: hashApiKey,
  alert: alertMoney,
  now: runtime.now,
};
const deps = {
  due: runtime.dueRows(),
  payments: runtime.countedPayments(),
  sessions: runtime.sessions(),
  expiries: runtime.expiries(),
  disputes: runtime.disputes(),
  entitlements: runtime.entitlements(),
  pool: runtime.codePools(),
  grants: runtime.grants(),
  licenseKeys: runtime.licenseKeys(),
  newBytes: runtime.newBytes,
  settleWithdrawal: settleWithdrawal({
    ...withdrawing,
    decideByItself: (withdrawal) => decideByItself(withdrawing, withdrawal),
  }),
  processor: everythingButNotifications(),
  alert: alertMoney,
  reportUnnotified: (payment: Payment) => reportUnnotified(withdrawing, payment),
  askAgain: askRegisterAgain,
  taxSettings,
  refundStep,
  isAutomatic: env.merchant().taxIdCorrections === 'automatic',
  bus: runtime.bus(),
  documentQueue: runtime.documentEvents(),
  mailer: mailer(),
  events: runtime.events(),
  webhooks: runtime.webhooks(),
  health: runtime.webhookHealth(),
  deliveries: runtime.deliveries(),
  send: sendWebhook(),
  speed: webhookSpeed(),
  pause: (milliseconds: number) => pause(milliseconds),
  report: reportToOperator,
  countDisabled,
  now: runtime.now,
  newId: runtime.newId,
  random: runtime.random,
};

/**
 * Each minute: finishes due work. It measures how long work has waited, and for which rows the processor gave no
 * answer.
 */
export const handler = worker(async (_: ScheduledEvent, context: Context) => {
  countVersion(deps.now());
  measureSwept(await sweepDue(deps, () => context.getRemainingTimeInMillis()), deps.now());
});
