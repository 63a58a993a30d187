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

/**
 * Measures a problem, if there is one. CloudWatch charges a metric for each hour in which it is measured, so a stack
 * without problems pays nothing.
 */
export function measureProblem(name: string, value: number, unit: Measurement['unit'], now: Date): void {
  if (value > 0) measure(name, value, unit, now);
}

/** Measures the result of a sweep: how long work has waited, and which rows could not be finished. */
export function measureSwept(swept: Swept, now: Date): void {
  measureProblem('OldestDueEventAgeSeconds', swept.oldestEventSeconds, 'Seconds', now);
  measureProblem('OldestUndoneDocumentAgeSeconds', swept.oldestDocumentSeconds, 'Seconds', now);
  measureProblem('UnansweredRows', swept.unansweredRows, 'Count', now);
  measureProblem('StuckPayments', swept.stuckPayments, 'Count', now);
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
