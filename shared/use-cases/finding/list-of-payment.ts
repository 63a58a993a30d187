import { type ItemPage, type ItemPageRequest, pageAmong } from '../../domain/list-page.ts';
import { type DisputeRow, disputeRow } from '../../domain/payments/dispute.ts';
import type { RefundBrief, RefundRow } from '../../domain/payments/refund.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

interface OfPayment<Row> {
  paymentId: string;
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  customerId?: string | undefined;
  matches?: ((row: Row) => boolean) | undefined;
}

interface OfPaymentDeps {
  payments: Pick<PaymentStore, 'find'>;
}

const theirPayment = async ({ payments }: OfPaymentDeps, { paymentId, customerId }: OfPayment<never>) => {
  const payment = await payments.find(paymentId);
  return customerId === undefined || payment?.customer.id === customerId ? payment : undefined;
};

/** A page of the refunds of one payment. The payment's row contains them. */
export async function refundsOfPayment(
  deps: OfPaymentDeps,
  filter: OfPayment<Pick<RefundBrief, 'status'>>,
  page: ItemPageRequest,
): Promise<ItemPage<Omit<RefundRow, 'updatedAt'>>> {
  const payment = await theirPayment(deps, filter);
  const { refunds = [], currency = '' } = payment ?? {};
  const rows = refunds.map((refund) => ({ ...refund, paymentId: filter.paymentId, currency }));
  return pageAmong(rows.filter(filter.matches ?? (() => true)), filter, page);
}

interface DisputesOfPaymentDeps extends OfPaymentDeps {
  disputes: Pick<DisputeStore, 'get'>;
}

/** A page of the disputes of one payment. The payment's row contains their ids. */
export async function disputesOfPayment(
  deps: DisputesOfPaymentDeps,
  filter: OfPayment<DisputeRow>,
  page: ItemPageRequest,
): Promise<ItemPage<DisputeRow>> {
  const ids = (await theirPayment(deps, filter))?.disputes.map(({ id }) => id) ?? [];
  const found = await Promise.all(ids.map((id) => deps.disputes.get(id)));
  return pageAmong(found.map(disputeRow).filter(filter.matches ?? (() => true)), filter, page);
}
