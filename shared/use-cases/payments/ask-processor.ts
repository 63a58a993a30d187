import { isStarting, payUntil } from '../../domain/payments/charge.ts';
import type { ChargeState } from '../../domain/payments/charge-state.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { ChargeAttempt, Charges, StartedCharge } from '../../outside/processor/payment-processor.ts';

/** What a buyer's browser brought back from the processor, in the address of the return page. */
export type Returned = ReadonlyMap<string, string>;

/** What the processor says of a processing payment: the question is repeated until it has been answered, then asked about. */
export async function askProcessor(
  charges: Pick<Charges, 'begin' | 'find'>,
  payment: Payment,
  returned?: Returned,
): Promise<ChargeState> {
  return isStarting(payment)
    ? await charges.begin(attemptOf(payment))
    : await charges.find(startedChargeOf(payment), returned);
}

/** Ends an open charge at the processor, or learns that it was paid in the meantime. */
export const closeCharge = (charges: Pick<Charges, 'close'>, payment: Payment): Promise<ChargeState> =>
  charges.close(startedChargeOf(payment));

/** From the payment as it began and from nothing else, so that each repetition asks for the same. */
function attemptOf(payment: Payment): ChargeAttempt {
  const { id: paymentId, sessionId, gross: amount, currency, language: locale, createdAt, lines } = payment;
  const [first, ...others] = lines;
  return {
    paymentId,
    sessionId,
    amount,
    currency,
    description: `${first?.name ?? ''}${others.length > 0 ? ` + ${others.length}` : ''}`,
    email: payment.customer.email,
    locale,
    statementSuffix: null,
    card: payment.card?.lastFour ?? null,
    createdAt,
    expiresAt: payUntil(payment),
  };
}

/** Payments of version 0.1 have no reference: the test card says what becomes of them. */
export const startedChargeOf = ({ id, sessionId, reference, card, gross, currency }: Payment): StartedCharge => ({
  paymentId: id,
  sessionId,
  reference: reference ?? card?.lastFour ?? '',
  amount: gross,
  currency,
});
