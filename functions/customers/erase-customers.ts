import type { Context, ScheduledEvent } from 'aws-lambda';
import { env } from '../../shared/env.ts';
import { eraseCustomers } from '../../shared/use-cases/customers/erase-customers.ts';
import { erasedBody } from '../../shared/wire/webhooks/erased-body.ts';
import * as books from '../../shared/wiring/books.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import { worker } from '../../shared/wiring/worker.ts';

const deps = {
  payments: { ...runtime.payments(), ...runtime.paymentLists() },
  taxRules: runtime.taxRules(),
  brands: runtime.brands(),
  documents: books.documents(),
  merchant: env.merchant(),
  rates: books.exchangeRates(),
  awaitsRates: env.stage() === 'live',
  isMailed: books.mailsDocuments(),
  inTurn: books.documentsInTurn,
  now: runtime.now,
  random: runtime.random,
  customers: runtime.customers(),
  sessions: runtime.sessions(),
  disputes: runtime.disputes(),
  events: runtime.events(),
  deliveries: runtime.deliveries(),
  licenseKeys: runtime.licenseKeys(),
  withdrawals: runtime.withdrawals(),
  erasures: runtime.erasures(),
  erasedBody,
  report: reportToOperator,
};

/** The time that is reserved for finishing the current step when the run has to end. */
const reserveMs = 20_000;

/** Each quarter of an hour: continues the requested erasures of personal data. */
export const handler = worker((_: ScheduledEvent, context: Context) =>
  eraseCustomers(deps, () => context.getRemainingTimeInMillis() > reserveMs),
);
