import { hasPaidOut, type Refund } from '../../domain/payments/refund.ts';
import type { FreeingRefund } from '../../domain/payments/tax-correction.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

/**
 * The refund that books the correction before this refund. Undefined if there was no correction, or if its money never
 * arrived. Then this refund belongs to the first invoice.
 */
export async function findCorrecting(
  payments: Pick<PaymentStore, 'getRefund'>,
  { correctedBy }: Pick<Refund, 'correctedBy'>,
): Promise<Refund | undefined> {
  const correcting = correctedBy ? await payments.getRefund(correctedBy) : undefined;
  return correcting?.status === 'failed' && !hasPaidOut(correcting) ? undefined : correcting;
}

/** The earlier refund that has returned only the tax. Undefined if there is none, or if its money never arrived. */
export async function findFreeing(
  payments: Pick<PaymentStore, 'getRefund'>,
  { freedBy }: Pick<Refund, 'freedBy'>,
): Promise<FreeingRefund | undefined> {
  const freeing = freedBy && (await payments.getRefund(freedBy.refundId));
  return freeing && hasPaidOut(freeing) ? freedBy : undefined;
}
