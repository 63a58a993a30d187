import type { Payment, PaymentRow } from '../domain/payment.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { takeInTurn } from './sweep-at-once.ts';

export interface LoadPaymentsDeps {
  payments: Pick<PaymentStore, 'list' | 'get'>;
}

export interface PaymentsWanted {
  createdFrom: string;
  createdTo?: string | undefined;
  matches?: ((row: PaymentRow) => boolean) | undefined;
  most: number;
}

const pageSize = 500;
const atOnce = 16;

/** Whole payments of a period, the newest first; `isPartial` when there are more than asked for. */
export async function loadPayments(
  deps: LoadPaymentsDeps,
  { most, matches, ...period }: PaymentsWanted,
): Promise<{ payments: Payment[]; isPartial: boolean }> {
  const filter = { ...period, ...(matches && { matches }) };
  const rows: PaymentRow[] = [];
  let after: string | undefined;
  let hasMore = true;
  while (hasMore && rows.length < most) {
    const page = await deps.payments.list(filter, { size: Math.min(pageSize, most - rows.length), skip: 0, after });
    rows.push(...page.items);
    [after, hasMore] = [page.last, page.hasMore];
  }
  return { payments: await readAll(rows, ({ id }) => deps.payments.get(id)), isPartial: hasMore };
}

/** Reads one by one, several at the same time, and keeps the order. */
export async function readAll<Row, Item>(rows: readonly Row[], read: (row: Row) => Promise<Item>): Promise<Item[]> {
  const items = new Map<number, Item>();
  await takeInTurn([...rows.keys()], { atOnce, hasTime: () => true }, async (index) => {
    items.set(index, await read(rows[index] as Row));
  });
  return rows.map((_, index) => items.get(index) as Item);
}
