import type { AuditedCommand } from '../../domain/access/audit.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { correctedTax, decideCorrection, worthOf } from '../../domain/payments/decide-correction.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type { RefundAllowance } from '../../domain/payments/refund-allowance.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { recordRefundEnd } from '../../events/catalogue.ts';
import { describeError, logWarn } from '../../log.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import type { CreateRefundDeps } from '../payments/create-refund.ts';
import { continueRefund, type SettleRefundDeps, type StartedRefund } from '../payments/settle-refund.ts';
import { retryStale } from '../retry.ts';
import { written } from '../written.ts';
import { treatAgain } from './treat-again.ts';

export interface MakeCorrectionDeps extends Omit<SettleRefundDeps, 'newId'> {
  taxSettings: () => Promise<TaxSettings>;
  refundStep: CreateRefundDeps['refundStep'];
  newId: (prefix: 'ref' | 'evt') => string;
}

/** The person or setting that approves a correction. */
interface Agreement {
  claim: Claim<Refund>;
  /** How much of its daily limit the approving key has used with this refund. Throws if it exceeds the limit. */
  allowanceFor: (refund: Refund) => Promise<RefundAllowance | null>;
  /** The figures that the person has seen. If they are others now, the correction is refused. */
  seen?: CorrectionWorth;
}

/** How much a correction refunds, and how much tax it removes. */
export type CorrectionWorth = ReturnType<typeof worthOf>;

/** The approval of automatic corrections by the merchant's configuration. It needs no key. */
const configured: Agreement = { claim: () => [], allowanceFor: () => Promise.resolve(null) };

/**
 * Corrects the invoice of a payment as proposed, only once. One transaction writes the state, the refund that books it,
 * and its event. Money is refunded only if the tax was added to the price. Then the documents are issued after the
 * refund has succeeded.
 */
export async function makeCorrection(
  deps: MakeCorrectionDeps,
  paymentId: string,
  agreement = configured,
): Promise<Refund> {
  const settings = await deps.taxSettings();
  const id = deps.newId('ref');
  const started = await retryStale(async () => {
    const payment = await deps.payments.get(paymentId);
    const refundId = payment.correction?.refundId;
    if (refundId === id) return { payment, refund: await deps.payments.getRefund(refundId) };
    return begin(deps, payment, { id, settings, agreement });
  });
  if (started.refund.status !== 'pending') return started.refund;
  return continueRefund(deps, started).catch((error: unknown) => {
    logWarn('the processor has not answered; the sweep asks again', { refund_id: id, ...describeError(error) });
    return started.refund;
  });
}

interface Terms {
  id: string;
  settings: TaxSettings;
  agreement: Agreement;
}

async function begin(
  deps: MakeCorrectionDeps,
  payment: Payment,
  { id, settings, agreement }: Terms,
): Promise<StartedRefund> {
  const { correction: state } = payment;
  if (state?.status !== 'proposed') throw new DomainError('CONFLICT', brokenRule(sentences.correction_decided));
  const now = deps.now().toISOString();
  const corrected = correctedTax(payment, treatAgain(payment, state.taxId, settings), state);
  const { refund, after } = decideCorrection(payment, state, corrected, { id, now, step: deps.refundStep(payment) });
  const { seen = refund } = agreement;
  if (seen.amount !== refund.amount || seen.tax !== refund.tax)
    throw new DomainError('CONFLICT', 'The figures of this correction have changed.');
  const { newId } = deps;
  const recorded = refund.status === 'succeeded' ? recordRefundEnd(after, refund, { newId, now }) : undefined;
  await deps.payments.saveRefund({
    payment: recorded?.payment ?? after,
    refund,
    isNew: true,
    events: recorded?.events ?? [],
    records: agreement.claim(refund, madeBy(refund)),
    allowance: await agreement.allowanceFor(refund),
  });
  return { refund, payment: written(recorded?.payment ?? after) };
}

/** What a proposed correction does now, or why it cannot be made; undefined if none is proposed. */
export async function previewCorrection(
  deps: Pick<MakeCorrectionDeps, 'taxSettings' | 'refundStep'>,
  payment: Payment,
): Promise<CorrectionWorth | DomainError | undefined> {
  const { correction: state } = payment;
  if (state?.status !== 'proposed') return undefined;
  try {
    const corrected = correctedTax(payment, treatAgain(payment, state.taxId, await deps.taxSettings()), state);
    decideCorrection(payment, state, corrected, { id: 'preview', now: state.at, step: deps.refundStep(payment) });
    return worthOf(corrected);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'CONFLICT') return error;
    throw error;
  }
}

const madeBy = ({ id, paymentId, amount, tax, currency }: Refund): AuditedCommand => ({
  command: 'invoice.correct',
  subject: id,
  details: { payment_id: paymentId, amount, tax, currency },
});

export interface DismissCorrectionDeps {
  payments: Pick<PaymentStore, 'get' | 'save'>;
  now: () => Date;
}

/** Rejects a proposed correction, so the invoice stays as it is. */
export function dismissCorrection(
  deps: DismissCorrectionDeps,
  paymentId: string,
  claim: Claim<string>,
): Promise<string> {
  return retryStale(async () => {
    const payment = await deps.payments.get(paymentId);
    const { correction } = payment;
    if (correction?.status !== 'proposed') throw new DomainError('CONFLICT', brokenRule(sentences.correction_decided));
    const after = {
      ...payment,
      correction: { ...correction, status: 'dismissed' as const, at: deps.now().toISOString() },
    };
    const done = { command: 'invoice.leave', subject: paymentId, details: { tax_id: correction.taxId.id } } as const;
    await deps.payments.save(after, claim(paymentId, done));
    return paymentId;
  });
}
