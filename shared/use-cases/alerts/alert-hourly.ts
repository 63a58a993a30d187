import type { AlertMoney } from '../../domain/payments/money-alert.ts';
import { describeError, logWarn } from '../../log.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';

export interface AlertHourlyDeps {
  throttles: Pick<ThrottleStore, 'count'>;
  alert: AlertMoney;
  now: () => Date;
}

/**
 * Raises an alarm about money at the first time, and then at most once an hour, so that it hides no other alarm. Each
 * time is in the log. If the times cannot be counted, the alarm is raised.
 */
export async function alertHourly(
  { throttles, alert, now }: AlertHourlyDeps,
  ...[kind, about]: Parameters<AlertMoney>
): Promise<void> {
  const times = await throttles.count(`ALERT-${kind}`, now()).catch((error: unknown) => {
    logWarn('the times of an alert are not counted', describeError(error));
    return 1;
  });
  if (times === 1) alert(kind, about);
  else logWarn('money alert again', { alert: kind, ...about });
}
