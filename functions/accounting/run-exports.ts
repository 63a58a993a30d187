import type { Context, ScheduledEvent } from 'aws-lambda';
import { env } from '../../shared/env.ts';
import { exportBucket } from '../../shared/outside/exports/export-bucket.ts';
import { rememberingFirst } from '../../shared/use-cases/exports/first-registrations.ts';
import { runExports } from '../../shared/use-cases/exports/run-exports.ts';
import { documents, exchangeRates, exportJobs, filedReturns } from '../../shared/wiring/books.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import { disputes, now, paymentLists, payments, taxRules } from '../../shared/wiring/runtime.ts';

const { storeFile } = exportBucket(env.bucketName());
const deps = {
  payments: { ...payments(), ...paymentLists() },
  disputes: disputes(),
  documents: documents(),
  taxRules: taxRules(),
  firstRegistrations: rememberingFirst(taxRules(), now),
  rates: exchangeRates(),
  merchantCountry: env.merchant().country,
  exportJobs: exportJobs(),
  filedReturns: filedReturns(),
  storeFile,
  now,
  report: reportToOperator,
};

/** The worker starts no job when less than this time is left, because the job would be cut off. */
const leastMs = 5 * 60_000;

/** Each minute: makes the files that the dashboard has asked for. */
export const handler = (_: ScheduledEvent, context: Context): Promise<void> =>
  runExports(deps, () => context.getRemainingTimeInMillis() > leastMs);
