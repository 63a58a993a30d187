import type { Context, ScheduledEvent } from 'aws-lambda';
import { delivering } from '../../shared/delivery-runtime.ts';
import { alertMoney, measure } from '../../shared/metrics.ts';
import { everythingButNotifications } from '../../shared/processor-runtime.ts';
import { rechecks } from '../../shared/registers-runtime.ts';
import { disputes, dueRows, expiries, payments, publishing, sessions } from '../../shared/runtime.ts';
import { sweepDue } from '../../shared/use-cases/sweep-due.ts';

const stores = { due: dueRows(), payments: payments(), sessions: sessions(), expiries: expiries() };
const money = { disputes: disputes(), processor: everythingButNotifications(), alert: alertMoney };
const deps = { ...delivering(), ...stores, ...money, ...rechecks(), ...publishing() };

/** Each minute: finishes due work, and measures what waits for how long, and what the processor could not be asked about. */
export async function handler(_: ScheduledEvent, context: Context): Promise<void> {
  const swept = await sweepDue(deps, () => context.getRemainingTimeInMillis());
  measure('OldestDueEventAgeSeconds', swept.oldestEventSeconds, 'Seconds', deps.now());
  measure('OldestUndoneDocumentAgeSeconds', swept.oldestDocumentSeconds, 'Seconds', deps.now());
  if (swept.unansweredRows > 0) measure('UnansweredRows', swept.unansweredRows, 'Count', deps.now());
  if (swept.stuckPayments > 0) measure('StuckPayments', swept.stuckPayments, 'Count', deps.now());
}
