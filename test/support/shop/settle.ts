import { reviewPayment } from '../../../shared/use-cases/payments/review-payment.ts';
import { settlePayment } from '../../../shared/use-cases/payments/settle-payment.ts';
import { settleRefund } from '../../../shared/use-cases/payments/settle-refund.ts';
import { sweepDue } from '../../../shared/use-cases/sweep-due.ts';
import { rechecks } from '../../../shared/wiring/registers.ts';
import * as runtime from '../../../shared/wiring/runtime.ts';
import { countedPayments, disputes, expiries, newId, now, payments, sessions } from '../../../shared/wiring/runtime.ts';
import { processor } from '../../../shared/wiring/selling.ts';

/** Ends a processing payment as its test card says, as the sweeper would. */
export async function finishPayment(paymentId: string): Promise<void> {
  await settlePayment(
    { payments: countedPayments(), sessions: sessions(), processor: processor(), now, newId },
    paymentId,
  );
}

/** Ends a pending refund as the payment's test card says, as the sweeper would. */
export async function finishRefund(refundId: string): Promise<void> {
  await settleRefund({ payments: countedPayments(), processor: processor(), now, newId }, refundId);
}

/** Hears of the dispute of a payment with a disputed test card, as the sweeper would, and returns its id. */
export async function hearDispute(paymentId: string): Promise<string> {
  const deps = { payments: countedPayments(), sessions: sessions(), ...disputing(), now, newId };
  await reviewPayment(deps, await payments().get(paymentId));
  const [dispute] = (await payments().get(paymentId)).disputes;
  if (!dispute) throw new Error(`${paymentId} is not disputed.`);
  return dispute.id;
}

/** What expires a session. */
export const expiring = () => ({ sessions: sessions(), expiries: expiries(), now, newId });

/** What the sweeper needs besides its stores: to settle disputes, to expire sessions, and to ask registers again. */
export const disputing = () => ({
  disputes: disputes(),
  expiries: expiries(),
  processor: processor(),
  alert: () => {},
  ...rechecks(),
});

/** Sweeps what is due; no event and no webhook is on its way. */
export async function sweep(overrides: object = {}): Promise<void> {
  const unexpected = async () => {
    throw new Error('not expected');
  };
  const stores = { events: runtime.events(), webhooks: runtime.webhooks(), deliveries: runtime.deliveries() };
  const money = { payments: countedPayments(), sessions: sessions(), ...disputing() };
  const bus = { publish: async () => [] };
  const documentQueue = { send: async () => [] };
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
