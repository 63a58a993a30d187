import type { Context, ScheduledEvent } from 'aws-lambda';
import { env } from '../../shared/env.ts';
import { watchThresholds } from '../../shared/use-cases/reports/watch-thresholds.ts';
import { documents, exchangeRates, thresholds } from '../../shared/wiring/books.ts';
import { disputes, newId, now, paymentLists, payments, taxRules } from '../../shared/wiring/runtime.ts';
import { worker } from '../../shared/wiring/worker.ts';

const deps = {
  payments: { ...payments(), ...paymentLists() },
  disputes: disputes(),
  documents: documents(),
  taxRules: taxRules(),
  rates: exchangeRates(),
  merchantCountry: env.merchant().country,
  thresholds: thresholds(),
  now,
  newId,
};

/** The time that is reserved for comparing and saving at the end of a run. */
const reserveMs = 10_000;

/** On a schedule: counts each day's sales by place, and compares them with the limits for tax registration. */
export const handler = worker((_: ScheduledEvent, context: Context) =>
  watchThresholds(deps, () => context.getRemainingTimeInMillis() > reserveMs),
);
