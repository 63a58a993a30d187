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
  /** Asks the register again; undefined if the register is no longer available. */
  askAgain: (check: TaxIdCheck) => Promise<RegisterCheck | undefined>;
  /** Whether corrections are made without the merchant's decision. */
  isAutomatic: boolean;
}

/**
 * Asks the register again about the tax id of a sale, if it is time. After a clear answer, it does not ask again. For a
 * valid id, it proposes a correction, and makes it if the merchant has allowed that. A buyer's late id is handled in
 * the same way, once.
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

/**
 * Whether a correction needs no decision by the merchant: it changes no tax, or the merchant allows automatic ones. If
 * the register names another business, the merchant must always decide.
 */
function needsNoDecision({ correction }: Payment, { isAutomatic }: Pick<RecheckTaxIdDeps, 'isAutomatic'>): boolean {
  return correction?.status === 'proposed' && correction.isNamed && (isAutomatic || correction.tax === 0);
}

/** Ignores the error if a correction is impossible now. It stays proposed for the merchant. */
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
