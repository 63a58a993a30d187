import { env } from './env.ts';
import { logSink } from './log.ts';

/** Writes a measurement as CloudWatch's embedded metric format, from which alarms and the dashboard read. */
export function measure(name: string, value: number, unit: 'Count' | 'Seconds', now: Date): void {
  const dimensions = { merchant: env.merchant().id, stage: env.stage() };
  const directive = {
    Namespace: 'Tillstack',
    Dimensions: [Object.keys(dimensions)],
    Metrics: [{ Name: name, Unit: unit }],
  };
  logSink.write(
    JSON.stringify({
      _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [directive] },
      ...dimensions,
      [name]: value,
    }),
  );
}
