import type { AlertMoney } from '../domain/payments/money-alert.ts';
import { env } from '../env.ts';
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

/** Measures what a sweep has found: how long work has waited, and which rows it could not finish. */
export function measureSwept(swept: Swept, now: Date): void {
  measure('OldestDueEventAgeSeconds', swept.oldestEventSeconds, 'Seconds', now);
  measure('OldestUndoneDocumentAgeSeconds', swept.oldestDocumentSeconds, 'Seconds', now);
  if (swept.unansweredRows > 0) measure('UnansweredRows', swept.unansweredRows, 'Count', now);
  if (swept.stuckPayments > 0) measure('StuckPayments', swept.stuckPayments, 'Count', now);
}

let isVersionTold = false;

/** Counts a process of the sweep under its version. The first point of a new version marks the deployment. */
export function countVersion(now: Date): void {
  const version = env.version();
  if (isVersionTold || version === undefined) return;
  isVersionTold = true;
  write({ name: 'VersionStarts', value: 1, unit: 'Count', at: now }, { version });
}

const counted: Record<string, string> = {
  'payment.failed': 'PaymentsFailed',
  'dispute.opened': 'MoneyAlerts',
};

/** Counts a webhook endpoint that the service has disabled. */
export const countDisabled = (): void => measure('EndpointsDisabled', 1, 'Count', new Date());

interface Dispatch {
  event: { type: string; endpointId?: string | undefined } | undefined;
  isFirst: boolean;
}

/** Triggers the alarm for money that a person must look at. The log line names the ids. */
export const alertMoney: AlertMoney = (alert, about) => {
  logWarn('money alert', { alert, ...about });
  measure('MoneyAlerts', 1, 'Count', new Date());
};

/** Counts each succeeded payment once, when its invoice exists. One log line counts a whole batch. */
export function countDocumented(payments: number): void {
  if (payments > 0) measure('PaymentsSucceeded', payments, 'Count', new Date());
}

/**
 * Counts each failed payment and each new dispute once, when its event is dispatched for the first time. Test events,
 * which go to one endpoint, do not count.
 */
export function countEvent({ event, isFirst }: Dispatch, now: Date): void {
  const metric = event && counted[event.type];
  if (metric && isFirst && event.endpointId === undefined) measure(metric, 1, 'Count', now);
}
