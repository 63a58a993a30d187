import type { Context, ScheduledEvent } from 'aws-lambda';
import { env } from '../../shared/env.ts';
import { exportBucket } from '../../shared/outside/exports/export-bucket.ts';
import { rememberingFirst } from '../../shared/use-cases/exports/first-registrations.ts';
import { runExports } from '../../shared/use-cases/exports/run-exports.ts';
import { documents, exchangeRates, exportJobs, filedReturns } from '../../shared/wiring/books.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import { disputes, now, paymentLists, payments, taxRules } from '../../shared/wiring/runtime.ts';
import { worker } from '../../shared/wiring/worker.ts';

const { storeFile } = exportBucket(env.bucketName());
const deps = {
  payments: { ...payments(), ...paymentLists() },
  disputes: disputes(),
  documents: documents(),
  taxRules: taxRules(),
  firstRegistrations: rememberingFirst(taxRules(), now),
  rates: exchangeRates(),
  merchantCountry: env.merchant().country,
  timeZone: env.merchant().timeZone,
  exportJobs: exportJobs(),
  filedReturns: filedReturns(),
  storeFile,
  now,
  report: reportToOperator,
};

/** The least time that must be left to start a job. With less, Lambda would end the job before it is finished. */
const leastMs = 5 * 60_000;

/** Each minute: makes the files that members requested on the dashboard. */
export const handler = worker((_: ScheduledEvent, context: Context) =>
  runExports(deps, () => context.getRemainingTimeInMillis() > leastMs),
);
