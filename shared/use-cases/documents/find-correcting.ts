import { hasPaidOut, type Refund } from '../../domain/payments/refund.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

/**
 * The refund that books the correction before this refund. Undefined if there was no correction, or its money never
 * arrived: then the refund belongs to the first invoice.
 */
export async function findCorrecting(
  payments: Pick<PaymentStore, 'getRefund'>,
  { correctedBy }: Pick<Refund, 'correctedBy'>,
): Promise<Refund | undefined> {
  const correcting = correctedBy ? await payments.getRefund(correctedBy) : undefined;
  return correcting?.status === 'failed' && !hasPaidOut(correcting) ? undefined : correcting;
}
