import type * as z from 'zod';
import { parseInput } from '../../wire/parse.ts';
import { PaymentQuery } from '../../wire/payments/payment-list.ts';
import { defined, text } from '../../wire/values.ts';
import { isDay } from '../reports/calendar-day.ts';

const names = ['from', 'to', 'status', 'currency', 'customer', 'attention'] as const;

/** The filters of the list of payments, from the page's address. */
export type PaymentFilters = Record<(typeof names)[number], string>;

/** A day that is none is not looked for. */
export function paymentFilters(query: (name: string) => string | undefined): PaymentFilters {
  const typed = Object.fromEntries(names.map((name) => [name, query(name)?.trim() ?? ''])) as PaymentFilters;
  const dayOf = (text: string) => (isDay(text) ? text : '');
  return { ...typed, from: dayOf(typed.from), to: dayOf(typed.to) };
}

/** The same filters for the API. Both days are included, in UTC. */
export function paymentQuery({ from, to, status, currency, customer }: PaymentFilters): z.output<typeof PaymentQuery> {
  parseInput(text(0, 254), customer, 'INVALID_QUERY_PARAMS');
  const query = defined({
    created_at_gte: from ? `${from}T00:00:00Z` : undefined,
    created_at_lte: to ? `${to}T23:59:59.999Z` : undefined,
    status: status || undefined,
    currency: currency || undefined,
  });
  return parseInput(PaymentQuery, query, 'INVALID_QUERY_PARAMS');
}
