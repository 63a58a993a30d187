import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentBrief } from '../../domain/payments/payment-row.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { takeInTurn } from '../take-in-turn.ts';

interface LoadPaymentsDeps {
  payments: Pick<PaymentLists, 'listBriefly'> & Pick<PaymentStore, 'get'>;
}

interface PaymentsWanted {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  customerId?: string | undefined;
  matches?: ((row: PaymentBrief) => boolean) | undefined;
  most: number;
  /** How many searches of the list are allowed. Each search is limited. */
  mostSearches: number;
}

const pageSize = 998;
const atOnce = 16;

/**
 * Payments of a period, newest first. `isPartial` is true if there are more than requested, or more than one search can
 * read.
 */
export async function loadPayments(
  deps: LoadPaymentsDeps,
  { most, mostSearches, ...filter }: PaymentsWanted,
): Promise<{ payments: Payment[]; isPartial: boolean }> {
  const rows: PaymentBrief[] = [];
  let after: string | undefined;
  let hasMore = true;
  for (let searches = 0; hasMore && rows.length < most && searches < mostSearches; searches += 1) {
    const page = await deps.payments.listBriefly(filter, {
      size: Math.min(pageSize, most - rows.length),
      skip: 0,
      after,
    });
    rows.push(...page.items);
    [after, hasMore] = [page.last, page.hasMore];
  }
  const payments = await readAll(rows, async ({ id }) => withoutNotes(await deps.payments.get(id)));
  return { payments, isPartial: hasMore };
}

/** A payment without its long texts, which no report shows. So thousands of payments fit into the memory. */
export const withoutNotes = (payment: Payment): Payment => ({
  ...payment,
  metadata: {},
  refunds: [],
  lines: payment.lines.map((line) => ({ ...line, description: '' })),
});

/** Reads an item for each row, several at the same time, and keeps the order. */
export async function readAll<Row, Item>(rows: readonly Row[], read: (row: Row) => Promise<Item>): Promise<Item[]> {
  const items = new Map<number, Item>();
  await takeInTurn([...rows.keys()], { atOnce, hasTime: () => true }, async (index) => {
    items.set(index, await read(rows[index] as Row));
  });
  return rows.map((_, index) => items.get(index) as Item);
}
