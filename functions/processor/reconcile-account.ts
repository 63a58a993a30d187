import { reconcile } from '../../shared/use-cases/payments/reconcile.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import { accountBooks, everythingButNotifications } from '../../shared/wiring/processor.ts';
import {
  accountLacks,
  countedPayments,
  disputes,
  newId,
  now,
  paymentLists,
  sessions,
} from '../../shared/wiring/runtime.ts';

const stores = { payments: { ...countedPayments(), ...paymentLists() }, sessions: sessions(), disputes: disputes() };
const money = { processor: everythingButNotifications(), alert: alertMoney, report: reportToOperator };
const books = accountBooks();

/** Each day: compares the processor's account with our rows, and raises an alarm for each difference. */
export async function handler(): Promise<void> {
  if (books) await reconcile({ ...stores, ...money, books, lacks: accountLacks(), now, newId });
}
