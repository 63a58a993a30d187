import { disputeIdOf } from '../../../shared/domain/ids.ts';
import type { FoundDispute } from '../../../shared/outside/processor/payment-processor.ts';
import { reviewPayment } from '../../../shared/use-cases/payments/review-payment.ts';
import { settleDispute } from '../../../shared/use-cases/payments/settle-dispute.ts';
import { settlePayment } from '../../../shared/use-cases/payments/settle-payment.ts';
import { settleRefund } from '../../../shared/use-cases/payments/settle-refund.ts';
import { sweepDue } from '../../../shared/use-cases/sweep-due.ts';
import * as runtime from '../../../shared/wiring/runtime.ts';
import { countedPayments, disputes, expiries, newId, now, payments, sessions } from '../../../shared/wiring/runtime.ts';
import { processor } from '../../../shared/wiring/selling.ts';
import { rechecks } from './dependencies.ts';

/** Ends a processing payment with the result of its test card, like the sweep. */
export async function finishPayment(paymentId: string): Promise<void> {
  await settlePayment(
    { payments: countedPayments(), sessions: sessions(), processor: processor(), now, newId },
    paymentId,
  );
}

/** Ends a pending refund with the result of the payment's test card, like the sweep. */
export async function finishRefund(refundId: string): Promise<void> {
  await settleRefund({ payments: countedPayments(), processor: processor(), alert: () => {}, now, newId }, refundId);
}

/** Records the dispute of a payment with a disputed test card, like the sweep, and returns its id. */
export async function hearDispute(paymentId: string): Promise<string> {
  const deps = { payments: countedPayments(), sessions: sessions(), ...disputing(), now, newId };
  await reviewPayment(deps, await payments().get(paymentId));
  const [dispute] = (await payments().get(paymentId)).disputes;
  if (!dispute) throw new Error(`${paymentId} is not disputed.`);
  return dispute.id;
}

/** Records what a bank says of a payment, like the notification of the processor, and returns the id of the dispute. */
export async function hearBank(paymentId: string, said: Partial<FoundDispute> = {}): Promise<string> {
  const { gross, currency } = await payments().get(paymentId);
  const state: FoundDispute = {
    ...{ paymentId, reference: `du_${paymentId}`, amount: gross, currency, status: 'opened', stage: 'dispute' },
    ...{ withdrawn: gross, isRefundable: false, reason: 'fraudulent', dueBy: null, url: null },
    createdAt: now().toISOString(),
    ...said,
  };
  const bank = { ...processor(), findDispute: async () => state };
  const deps = { payments: countedPayments(), sessions: sessions(), ...disputing(), processor: bank, now, newId };
  await settleDispute(deps, state.reference);
  return disputeIdOf((await payments().get(paymentId)).processor, state.reference);
}

/** A dispute of a payment that the buyer has won. */
export const loseDispute = (paymentId: string, said: Partial<FoundDispute> = {}): Promise<string> =>
  hearBank(paymentId, { status: 'lost', ...said });

/** The parts that expire a session. */
export const expiring = () => ({ sessions: sessions(), expiries: expiries(), now, newId });

/** The parts that issue, revoke and give back the grants of payments. */
export const granting = () => ({
  entitlements: runtime.entitlements(),
  pool: runtime.codePools(),
  grants: runtime.grants(),
  licenseKeys: runtime.licenseKeys(),
  newBytes: runtime.newBytes,
});

/** The parts that the sweep needs besides its stores: to settle disputes and grants, expire sessions and ask registers again. */
export const disputing = () => ({
  disputes: disputes(),
  expiries: expiries(),
  ...granting(),
  processor: processor(),
  alert: () => {},
  settleWithdrawal: async () => {},
  ...rechecks(),
});

/** Runs the sweep for all due rows, in tests in which no event and no webhook is waiting. */
export async function sweep(overrides: object = {}): Promise<void> {
  const unexpected = async () => {
    throw new Error('not expected');
  };
  const stores = { events: runtime.events(), webhooks: runtime.webhooks(), deliveries: runtime.deliveries() };
  const money = { payments: countedPayments(), sessions: sessions(), ...disputing() };
  const bus = { publish: async () => [] };
  const documentQueue = { send: async () => [], waiting: async () => 0 };
  const world = {
    now,
    newId,
    random: () => 0.5,
    pause: async () => {},
    speed: 1,
    send: unexpected,
    report: () => {},
    countDisabled: () => {},
  };
  const deps = {
    ...stores,
    health: runtime.webhookHealth(),
    due: runtime.dueRows(),
    ...money,
    bus,
    documentQueue,
    ...world,

    ...overrides,
  };
  await sweepDue(deps, () => 100_000);
}
