import { awaitsRegister, type RegisterCheck, type TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { hasCode } from '../../domain/errors.ts';
import { nextRecheck } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { withRegisterCheck } from '../../tax/tax-ids/tax-id-register.ts';
import { retryStale } from '../retry.ts';
import { type MakeCorrectionDeps, makeCorrection } from './make-correction.ts';
import { proposalFor } from './propose-correction.ts';

export interface RecheckTaxIdDeps extends MakeCorrectionDeps {
  payments: MakeCorrectionDeps['payments'] & Pick<PaymentStore, 'save'>;
  /** Undefined where there is no register any more. */
  askAgain: (check: TaxIdCheck) => Promise<RegisterCheck | undefined>;
  /** Whether a correction waits for the merchant. */
  isAutomatic: boolean;
}

/**
 * Asks the register again about the tax id of a sale, if it is time. A verdict ends the questions: a valid id proposes a correction,
 * and makes it where the merchant has configured that. A buyer's late id is due here once, for the same.
 */
export async function recheckTaxId(deps: RecheckTaxIdDeps, payment: Payment): Promise<void> {
  const { id, recheckAt, taxId } = payment;
  if (recheckAt === undefined || recheckAt > deps.now().toISOString() || payment.status === 'processing') return;
  const answered =
    payment.status === 'succeeded' && taxId && awaitsRegister(taxId) ? await deps.askAgain(taxId) : undefined;
  const settings = answered?.verdict === 'valid' ? await deps.taxSettings() : undefined;
  const noted = await retryStale(async () => {
    const current = await deps.payments.get(id);
    if (current.recheckAt !== recheckAt) return undefined;
    const after = afterAnswer(current, answered, settings, deps.now().toISOString());
    await deps.payments.save(after);
    return after;
  });
  if (noted && needsNoDecision(noted, deps)) await makeCorrection(deps, id).catch(leaveToMerchant);
}

/** A correction that changes no tax, or one as the merchant has configured; never one of another business. */
function needsNoDecision({ correction }: Payment, { isAutomatic }: Pick<RecheckTaxIdDeps, 'isAutomatic'>): boolean {
  return correction?.status === 'proposed' && correction.isNamed && (isAutomatic || correction.tax === 0);
}

/** What cannot be corrected now stays proposed. */
function leaveToMerchant(error: unknown): void {
  if (!hasCode(error, 'CONFLICT')) throw error;
}

function afterAnswer(
  { recheckAt: _, ...payment }: Payment,
  answered: RegisterCheck | undefined,
  settings: TaxSettings | undefined,
  now: string,
): Payment {
  if (!answered || !payment.taxId) return payment;
  const taxId = withRegisterCheck(payment.taxId, answered);
  const next = awaitsRegister(taxId) ? nextRecheck(payment.createdAt, now) : undefined;
  const checked = { ...payment, taxId, ...(next ? { recheckAt: next } : {}) };
  if (!settings || payment.correction) return checked;
  const correction = proposalFor(checked, { taxId, businessName: payment.businessName }, settings);
  return correction.tax > 0 ? { ...checked, correction: { ...correction, cause: 'register', at: now } } : checked;
}
