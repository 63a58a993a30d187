import type { Customer } from '../../domain/checkout/buyer.ts';
import type { PaymentBrief, PaymentRow } from '../../domain/payments/payment-row.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';

export interface LoadCustomersDeps {
  payments: Pick<PaymentLists, 'list'>;
}

/** A customer, with the details of their latest payment. */
export interface CustomerOverview {
  customer: Customer;
  payments: number;
  /** What they paid after refunds, by currency. */
  paid: ReadonlyMap<string, number>;
  latestAt: string;
}

const mostPayments = 1_000;

/** The customers of the latest 1,000 payments, latest first; `isPartial` if there are older payments. */
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
  const paid = new Map<string, number>();
  for (const { currency, gross, refunded } of rows) paid.set(currency, (paid.get(currency) ?? 0) + gross - refunded);
  return { customer: latest.customer, payments: rows.length, paid, latestAt: latest.createdAt };
}
