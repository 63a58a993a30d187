import { alertMoney } from '../../shared/metrics.ts';
import { reportToOperator } from '../../shared/operator-report.ts';
import { accountRecords, everythingButNotifications } from '../../shared/processor-runtime.ts';
import { countedPayments, disputes, newId, now, paymentLists, sessions } from '../../shared/runtime.ts';
import { reconcile } from '../../shared/use-cases/payments/reconcile.ts';

const stores = { payments: { ...countedPayments(), ...paymentLists() }, sessions: sessions(), disputes: disputes() };
const money = { processor: everythingButNotifications(), alert: alertMoney, report: reportToOperator };
const records = accountRecords();

/** Each day: compares the processor's account with our books, and rings the alarm for each difference. */
export async function handler(): Promise<void> {
  if (records) await reconcile({ ...stores, ...money, books: { records, processor: 'stripe' }, now, newId });
}
