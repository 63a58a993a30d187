import type * as z from 'zod';
import { parseInput } from './parse.ts';
import { PaymentQuery } from './payment.ts';
import { defined } from './values.ts';

const names = ['from', 'to', 'status', 'currency', 'customer'] as const;

/** What is looked for among payments, as it stands in the address. */
export type PaymentFilters = Record<(typeof names)[number], string>;

export const paymentFilters = (query: (name: string) => string | undefined): PaymentFilters =>
  Object.fromEntries(names.map((name) => [name, query(name)?.trim() ?? ''])) as PaymentFilters;

/** The same as the API would be asked; both days belong to the period, in UTC. */
export const paymentQuery = ({ from, to, status, currency }: PaymentFilters): z.output<typeof PaymentQuery> =>
  parseInput(
    PaymentQuery,
    defined({
      created_at_gte: from ? `${from}T00:00:00Z` : undefined,
      created_at_lte: to ? `${to}T23:59:59.999Z` : undefined,
      status: status || undefined,
      currency: currency || undefined,
    }),
    'INVALID_QUERY_PARAMS',
  );
