import type * as z from 'zod';
import { dayMs } from '../../domain/duration.ts';
import { DomainError } from '../../domain/errors.ts';
import { saleStateOf, saleStates } from '../../domain/payments/dispute-standing.ts';
import type { PaymentBrief } from '../../domain/payments/payment-row.ts';
import { startOfDayIn } from '../../domain/places/zone-date.ts';
import type { Locale } from '../../pages/locale.ts';
import type { PaymentSearch } from '../../use-cases/reports/search-payments.ts';
import { parseInput } from '../../wire/parse.ts';
import { matchesPayment, PaymentQuery } from '../../wire/payments/payment-list.ts';
import { text } from '../../wire/text/texts.ts';
import { defined } from '../../wire/values.ts';
import { isDay } from '../calendar-day.ts';
import { shownZone } from '../dates.ts';
import { readSearch } from './payment-search.ts';

const names = ['q', 'from', 'to', 'status', 'currency', 'product', 'country', 'attention'] as const;

/** The filters of the list of payments, from the page's address. */
export type PaymentFilters = Record<(typeof names)[number], string>;

/** The most payments in one file. */
export const mostInFile = 3_000;

/** The active filters, as parameters of an address. */
export const activeFilters = (filters: PaymentFilters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));

/** Reads the filters from the address. An invalid day is ignored. */
export function paymentFilters(query: (name: string) => string | undefined): PaymentFilters {
  const typed = Object.fromEntries(names.map((name) => [name, query(name)?.trim() ?? ''])) as PaymentFilters;
  const dayOf = (text: string) => (isDay(text) ? text : '');
  return { ...typed, from: dayOf(typed.from), to: dayOf(typed.to) };
}

/** The page's filters in the form of the API. Both days are included, in the merchant's time zone. */
function paymentQuery({ q, from, to, status, currency, product }: PaymentFilters): z.output<typeof PaymentQuery> {
  parseInput(text(0, 254), q, 'INVALID_QUERY_PARAMS');
  if (status !== '' && !saleStates.some((one) => one === status))
    throw new DomainError('INVALID_QUERY_PARAMS', 'This state does not exist.');
  const query = defined({
    created_at_gte: from ? startOfDayIn(shownZone(), from).toISOString() : undefined,
    created_at_lte: to ? lastInstantOf(to) : undefined,
    currency: currency || undefined,
    product_id: product || undefined,
  });
  return parseInput(PaymentQuery, query, 'INVALID_QUERY_PARAMS');
}

/** The last millisecond of a day in the merchant's time zone. */
function lastInstantOf(day: string): string {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
  return new Date(startOfDayIn(shownZone(), next).getTime() - 1).toISOString();
}

/** The search for the filters. */
export function searchOf(filters: PaymentFilters, merchantId: string, locale: Locale): PaymentSearch {
  const { status, currency, product, country, attention } = filters;
  const { created_at_gte: createdFrom, created_at_lte: createdTo, ...query } = paymentQuery(filters);
  const isWanted = matchesPayment(query);
  const matches = (row: PaymentBrief) =>
    isWanted(row) &&
    (status === '' || saleStateOf(row) === status) &&
    (attention === '' || row.attention !== undefined);
  const hasFilter = [status, currency, product, attention].some((value) => value !== '');
  const search = readSearch(filters.q, merchantId, locale);
  return { createdFrom, createdTo, ...search, country: country || undefined, matches: hasFilter ? matches : undefined };
}
