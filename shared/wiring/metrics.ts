import type { AlertMoney } from '../domain/payments/money-alert.ts';
import { env } from '../env.ts';
import { metricOfEvent } from '../events/counted-events.ts';
import { logSink, logWarn } from '../log.ts';

interface Measurement {
  name: string;
  value: number;
  unit: 'Count' | 'Seconds';
  at: Date;
}

/** Writes a measurement in CloudWatch's embedded metric format. The alarms and the CloudWatch dashboard read it. */
export const measure = (name: string, value: number, unit: Measurement['unit'], now: Date): void =>
  write({ name, value, unit, at: now }, {});

function write({ name, value, unit, at }: Measurement, more: Record<string, string>): void {
  const dimensions = { merchant: env.merchant().id, stage: env.stage(), ...more };
  const directive = {
    Namespace: 'Tillstack',
    Dimensions: [Object.keys(dimensions)],
    Metrics: [{ Name: name, Unit: unit }],
  };
  logSink.write(
    JSON.stringify({
      _aws: { Timestamp: at.getTime(), CloudWatchMetrics: [directive] },
      ...dimensions,
      [name]: value,
    }),
  );
}

interface Swept {
  oldestEventSeconds: number;
  oldestDocumentSeconds: number;
  unansweredRows: number;
  stuckPayments: number;
}

/** Measures the result of a sweep: how long work has waited, and which rows could not be finished. */
export function measureSwept(swept: Swept, now: Date): void {
  measure('OldestDueEventAgeSeconds', swept.oldestEventSeconds, 'Seconds', now);
  measure('OldestUndoneDocumentAgeSeconds', swept.oldestDocumentSeconds, 'Seconds', now);
  if (swept.unansweredRows > 0) measure('UnansweredRows', swept.unansweredRows, 'Count', now);
  if (swept.stuckPayments > 0) measure('StuckPayments', swept.stuckPayments, 'Count', now);
}

let isVersionCounted = false;

/** Counts a sweep under its software version. The first point of a new version shows when it was deployed. */
export function countVersion(now: Date): void {
  const version = env.version();
  if (isVersionCounted || version === undefined) return;
  isVersionCounted = true;
  write({ name: 'VersionStarts', value: 1, unit: 'Count', at: now }, { version });
}

/** Counts a webhook endpoint that the service has disabled. */
export const countDisabled = (): void => measure('EndpointsDisabled', 1, 'Count', new Date());

/** Triggers the alarm for money that a person must look at. The log line names the ids. */
export const alertMoney: AlertMoney = (alert, about) => {
  logWarn('money alert', { alert, ...about });
  measure('MoneyAlerts', 1, 'Count', new Date());
};

/** Counts each succeeded payment once, when its invoice exists. One log line has the count of a whole batch. */
export function countDocumented(payments: number): void {
  if (payments > 0) measure('PaymentsSucceeded', payments, 'Count', new Date());
}

/** Counts a dispatched event if a metric counts it. */
export function countEvent(dispatched: Parameters<typeof metricOfEvent>[0], now: Date): void {
  const metric = metricOfEvent(dispatched);
  if (metric) measure(metric, 1, 'Count', now);
}
