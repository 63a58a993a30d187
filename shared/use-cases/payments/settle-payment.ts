import { afterPayment, type CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import {
  freesItsSession,
  isStarting,
  isStuck,
  nextAskAbout,
  sessionChargeOf,
  settledPayment,
} from '../../domain/payments/charge.ts';
import type { ChargeState } from '../../domain/payments/charge-state.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { recordPaymentEvent } from '../../events/catalogue.ts';
import { describeError, logWarn } from '../../log.ts';
import type { Charges } from '../../outside/processor/payment-processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { type EndUsesDeps, endedUses } from '../discounts/end-uses.ts';
import { continuesWithinMs, retryStaleFrom } from '../retry.ts';
import { askProcessor, closeCharge, type Returned } from './ask-processor.ts';

export interface SettlePaymentDeps {
  payments: Pick<PaymentStore, 'get' | 'saveCharge'> & EndUsesDeps['payments'];
  sessions: Pick<SessionStore, 'get'>;
  processor: Pick<Charges, 'begin' | 'find'>;
  /** Called for a paid payment about which no notification has come in time. */
  reportUnnotified?: (payment: Payment) => Promise<void>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** A payment with its session, as they were last read or written. */
export interface StartedPayment {
  payment: Payment;
  session: CheckoutSession | null;
  /** Whether this process has just stored the payment. Then no request about it was sent to the processor yet. */
  isNew?: true;
}

/** A payment, refund or dispute that has not ended at the processor yet. */
export interface Unfinished {
  openSince: string;
  /** Whether it is open for longer than it should be. */
  isStuck?: boolean;
  /** Ask about it again by this time at the latest, unless this time is over. */
  askBy?: string | null;
  /** When to ask about it again. If absent, it depends on how long it has been open. */
  askAt?: string | undefined;
}

/**
 * Asks the processor about a processing payment. A payment never ends only because time has passed. Returns null if it
 * has ended.
 */
export async function settlePayment(deps: SettlePaymentDeps, id: string): Promise<Unfinished | null> {
  const read = await deps.payments.get(id);
  let state: ChargeState | undefined;
  const payment = await settleBy(deps, { payment: read, session: null }, async (known) => {
    state = await askProcessor(deps.processor, known.payment);
    return state;
  });
  if (isUnnotified(read, state, deps.now())) await deps.reportUnnotified?.(payment);
  if (payment.status !== 'processing') return null;
  const now = deps.now();
  return {
    openSince: payment.createdAt,
    isStuck: isStuck(payment, now),
    askAt: nextAskAbout(payment, now.toISOString()),
  };
}

/** For how long a notification is awaited after a payment. */
const notifiedWithinMs = 60_000;

/** Whether an open payment was paid a while ago, and neither a notification nor the buyer's return has ended it here. */
const isUnnotified = ({ payAt }: Payment, state: ChargeState | undefined, now: Date): boolean =>
  payAt !== undefined &&
  state?.status === 'succeeded' &&
  state.paidAt !== undefined &&
  now.getTime() - Date.parse(state.paidAt) > notifiedWithinMs;

/**
 * Commits the processor's answer only once, with its event. If the session can be paid again, it is written too.
 * Returns the payment's state.
 * @param returned the parameters with which the processor sent the buyer back
 */
export const continuePayment = (
  deps: SettlePaymentDeps,
  known: StartedPayment,
  returned?: Returned,
): Promise<Payment> =>
  settleBy(deps, known, ({ payment, isNew }) =>
    askProcessor(deps.processor, payment, { returned, isFirst: isNew === true }),
  );

/**
 * Asks the processor and commits its answer, but does not fail if there is no answer. The payment then stays due, and
 * the sweep asks again.
 */
export const tryToContinue = (deps: SettlePaymentDeps, known: StartedPayment, returned?: Returned): Promise<Payment> =>
  continuePayment(deps, known, returned).catch((error: unknown) => {
    logWarn('the processor has not answered; the sweep asks again', {
      payment_id: known.payment.id,
      ...describeError(error),
    });
    return known.payment;
  });

export interface ClosePaymentDeps extends SettlePaymentDeps {
  processor: SettlePaymentDeps['processor'] & Pick<Charges, 'close'>;
}

/**
 * Closes an open payment. So the buyer can change something, and a late click cannot pay the old amount. If it was paid
 * at the same time, it has succeeded. If the request may not have reached the processor, the charge is begun first,
 * because otherwise it cannot be closed.
 */
export async function closePayment(deps: ClosePaymentDeps, id: string): Promise<Payment> {
  const readAgain = async () => ({ payment: await deps.payments.get(id), session: null });
  let known = await readAgain();
  if (isStarting(known.payment)) {
    await continuePayment(deps, known);
    known = await readAgain();
  }
  return known.payment.payAt
    ? settleBy(deps, known, ({ payment }) => closeCharge(deps.processor, payment))
    : known.payment;
}

function settleBy(
  deps: SettlePaymentDeps,
  known: StartedPayment,
  ask: (started: StartedPayment) => Promise<ChargeState>,
): Promise<Payment> {
  const readAgain = async (): Promise<StartedPayment> => ({
    payment: await deps.payments.get(known.payment.id),
    session: null,
  });
  return retryStaleFrom({ read: known, readAgain, patienceMs: continuesWithinMs }, async (started) => {
    const { payment: before, session } = started;
    if (before.status !== 'processing') return before;
    const state = await ask(started);
    const settled = settledPayment(before, state, deps.now().toISOString());
    return settled ? commitCharge(deps, settled, session) : before;
  });
}

/** Commits the next state of a payment. A payment that only becomes open at the processor causes no event. */
async function commitCharge(deps: SettlePaymentDeps, settled: Payment, read: CheckoutSession | null): Promise<Payment> {
  const { payment, ...told } = settled.payAt
    ? { payment: settled }
    : recordPaymentEvent(settled, { id: deps.newId('evt'), now: settled.updatedAt });
  const freed = freesItsSession(payment) ? await freedSession(deps, payment, read) : {};
  await deps.payments.saveCharge({ ...freed, payment, uses: await endedUses(deps, payment), ...told });
  return payment;
}

/**
 * The session, ready for another attempt. It is written together with the end of its payment. So no other payment can
 * begin before that end.
 */
async function freedSession(deps: SettlePaymentDeps, payment: Payment, read: CheckoutSession | null) {
  const session = read ?? (await deps.sessions.get(payment.sessionId));
  return { session: afterPayment(session, sessionChargeOf(payment), false) };
}
