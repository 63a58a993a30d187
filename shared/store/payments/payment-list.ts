import * as z from 'zod';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { StoredPayment } from '../../domain/orders/stored-payment.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { completedRow, lacksStanding, PaymentBrief, PaymentRow } from '../../domain/payments/payment-row.ts';
import { RefundBrief, RefundRow } from '../../domain/payments/refund.ts';
import { keys, ownOrders } from '../keys.ts';
import { completing, rowParser } from '../table/complete-row.ts';
import { completePage, listPage } from '../table/list.ts';
import type { Cut } from '../table/list-row.ts';
import { dataIn } from '../table/packed.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';

interface TimeRange {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  customerId?: string | undefined;
}

interface PaymentFilter extends TimeRange {
  /** A filter on the list rows. If a row is shortened, its card is missing. */
  matches?: ((row: ListedPayment) => boolean) | undefined;
}

interface RefundFilter extends TimeRange {
  matches?: ((row: RefundBrief) => boolean) | undefined;
}

/** A row as it is stored. A shortened one, with `more`, has no fields that can be long. */
export type ListedPayment = PaymentBrief & Partial<Pick<PaymentRow, 'customer' | 'card'>> & Partial<Cut>;

/** Lists payments and refunds in pages. It is separate from the store that moves money, because that needs no lists. */
export interface PaymentLists {
  list(filter: PaymentFilter, page: ItemPageRequest): Promise<ItemPage<PaymentRow>>;
  /** The ids of orders whose address was corrected to that of a customer, newest first. */
  listOwn(customerId: string, page: ItemPageRequest): Promise<ItemPage<string>>;
  /** Lists payments without reading the missing fields of shortened rows. */
  listBriefly(filter: PaymentFilter, page: ItemPageRequest): Promise<ItemPage<ListedPayment>>;
  /** Completes shortened rows, in batches. A row without its payment is undefined. */
  complete(rows: readonly ListedPayment[]): Promise<(PaymentRow | undefined)[]>;
  listRefunds(filter: RefundFilter, page: ItemPageRequest): Promise<ItemPage<RefundRow>>;
  /** The payments with these ids, in the order of the ids. An id without a payment is left out. */
  named(ids: readonly string[]): Promise<Payment[]>;
  listRefundsBriefly(filter: RefundFilter, page: ItemPageRequest): Promise<ItemPage<RefundBrief>>;
}

export function paymentListStore(table: Table): PaymentLists {
  const [listed, listedRefunds] = [paymentList(table), refundList(table)];
  return {
    list: async (filter, page) => completePage(await listed.rows(filter, page), listed.complete),
    listOwn: async (customerId, page) => {
      const found = await listPage(table, { index: 'list', partition: ownOrders(customerId), page, row: z.unknown() });
      return { ...found, items: (found.sortKeys ?? []).map((sortKey) => sortKey.slice(sortKey.indexOf('#') + 1)) };
    },
    listBriefly: listed.rows,
    complete: (rows) => listed.complete(rows as readonly StoredRow[]),
    listRefunds: async (filter, page) => completePage(await listedRefunds.rows(filter, page), listedRefunds.complete),
    listRefundsBriefly: listedRefunds.rows,
    named: async (ids) => {
      const item = await findItems(table, ids.map(keys.payment));
      const found = ids.map((id) => item(keys.payment(id))).filter((row) => row !== undefined);
      return found.map((row) => StoredPayment.parse(dataIn(row)));
    },
  };
}

/** A listed row as this store reads it. */
type StoredRow = PaymentRow | (PaymentBrief & Cut);

const storedRows = rowParser(PaymentRow, PaymentBrief);

/**
 * How list rows are read. A row of 0.2.0 without the state of its disputes is completed from the payment, like a
 * shortened one.
 */
const paymentRows = {
  parse: (value: unknown) => {
    const row = storedRows.parse(value);
    return lacksStanding(row) ? { ...row, more: true as const } : row;
  },
};

const paymentList = (table: Table) => ({
  rows: (filter: PaymentFilter, page: ItemPageRequest) =>
    listPage(table, { ...place(filter, 'PAYMENT', ''), ...filter, page, row: paymentRows }),
  complete: completing(table, {
    keyOf: ({ id }: PaymentBrief) => keys.payment(id),
    join: completedRow,
  }),
});

const refundList = (table: Table) => ({
  rows: (filter: RefundFilter, page: ItemPageRequest) =>
    listPage(table, { ...place(filter, 'REFUND', '#REFUND'), ...filter, page, row: rowParser(RefundRow, RefundBrief) }),
  complete: completing(table, {
    keyOf: ({ id }: RefundBrief) => keys.refund(id),
    join: (row, data) => RefundRow.parse({ ...row, ...data }),
    fields: ['reason'],
  }),
});

/** The partition that lists all objects of a kind, or those of one customer. */
const place = ({ customerId }: TimeRange, kind: string, suffix: string) =>
  customerId
    ? { index: 'customer' as const, partition: `CUSTOMER#${customerId}${suffix}` }
    : { index: 'list' as const, partition: kind };
