import { isSameBusiness } from '../../domain/checkout/business-name.ts';
import type { TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { hasCode } from '../../domain/errors.ts';
import { correctedTax, worthOf } from '../../domain/payments/decide-correction.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { CorrectionState } from '../../domain/payments/tax-correction.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { treatAgain } from './treat-again.ts';

/** What a tax id would change in a payment. The tax is 0 if the id would only be shown on the invoice. */
export function proposalFor(
  payment: Payment,
  proven: { taxId: TaxIdCheck; businessName: string | null },
  settings: TaxSettings,
): Omit<CorrectionState, 'cause' | 'at'> {
  const worth = worthFor(payment, proven, settings);
  const { name } = proven.taxId.checks?.at(-1) ?? {};
  const isNamed = isSameBusiness(name, proven.businessName);
  return { ...proven, status: 'proposed', isNamed, ...(worth ?? { amount: 0, tax: payment.tax }) };
}

/**
 * The tax that would be refunded. Undefined if it cannot be computed now. The merchant can still approve, and then sees
 * the reason.
 */
function worthFor(
  payment: Payment,
  proven: { taxId: TaxIdCheck; businessName: string | null },
  settings: TaxSettings,
): { amount: number; tax: number } | undefined {
  try {
    return worthOf(correctedTax(payment, treatAgain(payment, proven.taxId, settings), proven));
  } catch (error) {
    if (!hasCode(error, 'CONFLICT')) throw error;
    return payment.refundable + payment.pending + payment.disputed === 0 ? { amount: 0, tax: 0 } : undefined;
  }
}
