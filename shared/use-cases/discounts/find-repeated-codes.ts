import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentBrief } from '../../domain/payments/payment-row.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';

export interface FindRepeatedCodesDeps {
  payments: Pick<UseStore, 'findUses'> & Pick<PaymentLists, 'listBriefly'>;
}

/** How many payments of the customer are checked. */
const mostPayments = 200;

/**
 * The codes of a successful payment that its customer has used more often than allowed. A customer can do that by
 * paying in several browsers at the same time. These payments stay valid.
 */
export async function findRepeatedCodes({ payments }: FindRepeatedCodesDeps, payment: Payment): Promise<string[]> {
  const { id, status, discounts = [], customer } = payment;
  if (status !== 'succeeded' || discounts.length === 0) return [];
  const ids = discounts.map((discount) => discount.id);
  const matches = (row: PaymentBrief) => row.status === 'succeeded' && row.id !== id;
  const page = { size: mostPayments, skip: 0, after: undefined };
  const [{ items: others }, { counts }] = await Promise.all([
    payments.listBriefly({ customerId: customer.id, matches }, page),
    payments.findUses(ids, customer.id),
  ]);
  const isRepeated = (discountId: string): boolean => {
    const { perCustomerLimit = null, eligibility = 'any' } = counts.get(discountId)?.[0] ?? {};
    const uses = others.filter((other) => other.discountIds?.includes(discountId)).length + 1;
    const isBeyond = perCustomerLimit !== null && uses > perCustomerLimit;
    return isBeyond || (eligibility === 'first_time' && others.some((other) => isEarlier(other, payment)));
  };
  return discounts.filter((discount) => isRepeated(discount.id)).map(({ code }) => code);
}

/** Whether a payment began before another one, or at the same moment. */
const isEarlier = (other: Pick<PaymentBrief, 'createdAt'>, { createdAt }: Payment): boolean =>
  other.createdAt <= createdAt;
