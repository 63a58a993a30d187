import type { Context, ScheduledEvent } from 'aws-lambda';
import { sweepDue } from '../../shared/use-cases/sweep-due.ts';
import { delivering } from '../../shared/wiring/delivery.ts';
import { alertMoney, countVersion, measureSwept } from '../../shared/wiring/metrics.ts';
import { everythingButNotifications } from '../../shared/wiring/processor.ts';
import { rechecks } from '../../shared/wiring/registers.ts';
import { countedPayments, disputes, dueRows, expiries, publishing, sessions } from '../../shared/wiring/runtime.ts';

const deps = {
  ...delivering(),
  due: dueRows(),
  payments: countedPayments(),
  sessions: sessions(),
  expiries: expiries(),
  disputes: disputes(),
  processor: everythingButNotifications(),
  alert: alertMoney,
  ...rechecks(),
  ...publishing(),
};

/**
 * Each minute: finishes due work. Measures how long work has waited, and which questions the processor did not answer.
 */
export async function handler(_: ScheduledEvent, context: Context): Promise<void> {
  countVersion(deps.now());
  measureSwept(await sweepDue(deps, () => context.getRemainingTimeInMillis()), deps.now());
}
