import type { Customer } from '../../domain/checkout/buyer.ts';
import type { PaymentBrief, PaymentRow } from '../../domain/payments/payment-row.ts';
import { type RowTotals, totalsByCurrency } from '../../domain/payments/payment-row.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';

export interface LoadCustomersDeps {
  payments: Pick<PaymentLists, 'list'>;
}

/** A customer, with the details of their latest payment. */
export interface CustomerOverview {
  customer: Customer;
  payments: number;
  /** The customer's payments by currency. */
  totals: readonly RowTotals[];
  latestAt: string;
}

const mostPayments = 1_000;

/** The customers of the latest 1,000 payments, latest first. `isPartial` is true if there are older payments. */
export async function loadCustomers(
  deps: LoadCustomersDeps,
): Promise<{ customers: CustomerOverview[]; isPartial: boolean }> {
  const matches = ({ status }: PaymentBrief) => status === 'succeeded';
  const page = await deps.payments.list({ matches }, { size: mostPayments, skip: 0, after: undefined });
  const byCustomer = Map.groupBy(page.items, ({ customer }) => customer.id);
  return { customers: [...byCustomer.values()].map(summarize), isPartial: page.hasMore };
}

function summarize(rows: readonly PaymentRow[]): CustomerOverview {
  const latest = rows[0] as PaymentRow;
  const totals = totalsByCurrency(rows);
  return { customer: latest.customer, payments: rows.length, totals, latestAt: latest.createdAt };
}
