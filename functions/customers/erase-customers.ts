import type { Context, ScheduledEvent } from 'aws-lambda';
import { eraseCustomers } from '../../shared/use-cases/customers/erase-customers.ts';
import { erasedBody } from '../../shared/wire/webhooks/erased-body.ts';
import * as books from '../../shared/wiring/books.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const deps = {
  ...books.issuing(),
  payments: { ...runtime.payments(), ...runtime.paymentLists() },
  customers: runtime.customers(),
  sessions: runtime.sessions(),
  disputes: runtime.disputes(),
  events: runtime.events(),
  deliveries: runtime.deliveries(),
  erasures: runtime.erasures(),
  erasedBody,
  report: reportToOperator,
};

/** Kept back for the step that is under way when the time is up. */
const reserveMs = 20_000;

/** Each quarter of an hour: goes on with the erasures of personal data that were requested. */
export const handler = (_: ScheduledEvent, context: Context): Promise<void> =>
  eraseCustomers(deps, () => context.getRemainingTimeInMillis() > reserveMs);
