import type { AlertMoney } from '../../domain/payments/money-alert.ts';
import { FraudWarning } from '../../domain/payments/payment.ts';
import { recordFraudWarning } from '../../events/catalogue.ts';
import { logWarn } from '../../log.ts';
import type { AccountRecords } from '../../outside/processor/payment-processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';
import { paidPayment } from './settle-dispute.ts';
import type { SettlePaymentDeps } from './settle-payment.ts';

export interface NoteFraudWarningDeps extends SettlePaymentDeps {
  payments: SettlePaymentDeps['payments'] & Pick<PaymentStore, 'find'>;
  records: Pick<AccountRecords, 'warningWith'> | undefined;
  alert: AlertMoney;
}

/**
 * Stores an early fraud warning in its payment, with an event if it is new. If a refund can still avoid the dispute, it
 * raises an alarm. If the processor's key may not read warnings, as with 0.2.0, it does nothing.
 */
export async function noteFraudWarning(deps: NoteFraudWarningDeps, reference: string): Promise<void> {
  const found = await deps.records?.warningWith(reference);
  if (found === 'denied') logWarn('the key may not read early fraud warnings', { reference });
  if (!found || found === 'denied') return;
  const warning = FraudWarning.parse(found);
  const isNew = await retryStale(() => store(deps, found.paymentId, warning));
  if (isNew && warning.isActionable) deps.alert('fraud-warning', { payment_id: found.paymentId, reference });
}

/** Returns whether the warning is new. */
async function store(deps: NoteFraudWarningDeps, id: string, warning: FraudWarning): Promise<boolean> {
  const payment = await paidPayment(deps, id);
  const known = payment?.fraudWarning;
  if (!payment || JSON.stringify(known) === JSON.stringify(warning)) return false;
  const now = deps.now().toISOString();
  const warned = { ...payment, fraudWarning: warning, updatedAt: now };
  const isNew = known?.reference !== warning.reference;
  await deps.payments.saveCharge(
    isNew ? recordFraudWarning(warned, { id: deps.newId('evt'), now }) : { payment: warned },
  );
  return isNew;
}
