import { plainAmount } from '../../domain/money/plain-amount.ts';
import { chargeReferenceOf, isStarting, payUntil } from '../../domain/payments/charge.ts';
import type { ChargeState } from '../../domain/payments/charge-state.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { ChargeAttempt, Charges, ShownOrder, StartedCharge } from '../../outside/processor/payment-processor.ts';

/** The parameters with which the processor sends the buyer back to the return page. */
export type Returned = ReadonlyMap<string, string>;

/** What the caller knows about a payment when it asks the processor. */
interface Asking {
  returned?: Returned | undefined;
  /** Whether this is the first request to the processor about the payment. */
  isFirst?: boolean;
}

/**
 * Asks the processor about a payment. Until the processor has answered once, this repeats the request to charge. After
 * that, it reads the state of the charge.
 */
export async function askProcessor(
  charges: Pick<Charges, 'begin' | 'find'>,
  payment: Payment,
  { returned, isFirst = false }: Asking = {},
): Promise<ChargeState> {
  return isStarting(payment)
    ? await charges.begin(attemptOf(payment), isFirst)
    : await charges.find(startedChargeOf(payment), returned);
}

/** Closes an open charge at the processor, or finds that it was paid in the meantime. */
export const closeCharge = (charges: Pick<Charges, 'close'>, payment: Payment): Promise<ChargeState> =>
  charges.close(startedChargeOf(payment));

/**
 * Makes the request to charge only from the first state of the payment. So each repetition of the request is identical.
 */
function attemptOf(payment: Payment): ChargeAttempt {
  const { id: paymentId, sessionId, gross: amount, currency, language: locale, createdAt, lines } = payment;
  const [first, ...others] = lines;
  return {
    paymentId,
    sessionId,
    amount,
    currency,
    description: `${first?.name ?? ''}${others.length > 0 ? ` + ${others.length}` : ''}`,
    order: payment.asksBy === 'lines' ? orderOf(payment) : null,
    email: payment.customer.email,
    locale,
    statementSuffix: payment.statementSuffix ?? null,
    card: payment.card?.lastFour ?? null,
    takesCardsOnly: payment.takesCardsOnly === true,
    createdAt,
    expiresAt: payUntil(payment),
  };
}

/** The order as the processor's page and dashboard show it. */
function orderOf({ lines, net, tax, currency, sessionId, calculation }: Payment): ShownOrder {
  const shown = lines.map(({ name, quantity, gross: amount, image = null }) => ({ name, quantity, amount, image }));
  const inMoney = (amount: number) => `${plainAmount(amount, currency)} ${currency}`;
  const place = [calculation.country, calculation.region].filter(Boolean).join('-');
  const facts = { checkout_session_id: sessionId, net: inMoney(net), tax: inMoney(tax), taxed_in: place };
  return { lines: shown, facts };
}

/** The data of a charge that was started. */
export const startedChargeOf = (payment: Payment): StartedCharge => ({
  paymentId: payment.id,
  sessionId: payment.sessionId,
  reference: chargeReferenceOf(payment),
  amount: payment.gross,
  currency: payment.currency,
});
