import { type Discount, type RedemptionFault, refuseCode } from '../../domain/discounts/discount.ts';
import { returnUse, takeUse, type UseCounter, usesOf } from '../../domain/discounts/use-counter.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { holdsItsCodes } from '../../domain/payments/charge.ts';
import type { Payment, PaymentDiscount } from '../../domain/payments/payment.ts';
import type { CountedUses, UseChanges } from '../../store/discounts/use-rows.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

export interface CountUsesDeps {
  payments: Pick<PaymentStore, 'findUses'>;
}

/** Who may use a code that is not for everybody. */
export interface EligibilityDeps {
  /** Whether a customer has a payment that has succeeded. */
  hasBought: (customerId: string) => Promise<boolean>;
  isGuest: (discountId: string, customerId: string) => Promise<boolean>;
}

/** A payment with its codes counted, and what that changes. */
interface Redemption {
  payment: Payment;
  uses?: UseChanges;
}

const idsOf = (discounts: readonly PaymentDiscount[]): string[] => discounts.map(({ id }) => id);

/**
 * Takes a use of each code of a payment, for the payment's own transaction. Refuses a code that is deleted, used up, or not for
 * this customer. A payment without codes reads and changes nothing.
 * @param eligibility absent: the customer was judged before
 */
export async function takeUses(
  deps: CountUsesDeps,
  payment: Payment,
  eligibility?: EligibilityDeps,
): Promise<Redemption> {
  const { discounts = [], customer } = payment;
  if (discounts.length === 0) return { payment };
  const read = await deps.payments.findUses(idsOf(discounts), customer.id);
  const counted = discounts.map((discount, index) => countOne(read, payment, { discount, index }));
  for (const { discount, rule, index } of counted)
    if (eligibility && !(await isEligible(eligibility, rule, { discountId: discount.id, customerId: customer.id })))
      throw refusal('DISCOUNT_CUSTOMER_NOT_ELIGIBLE', discount, index);
  const first = counted.some(({ rule }) => rule === 'first_time')
    ? { ...read.first, paymentId: payment.id }
    : undefined;
  return {
    payment: { ...payment, discounts: counted.map(({ discount }) => discount) },
    uses: { counters: counted.map(({ counter }) => counter), customers: counted.map(({ uses }) => uses), first },
  };
}

interface Placed {
  discount: PaymentDiscount;
  index: number;
}

/** One more use of a code, if its limits allow it. */
function countOne({ counters, customers, first }: CountedUses, payment: Payment, placed: Placed) {
  const { discount, index } = placed;
  const known = counters.get(discount.id) ?? [];
  const counter = oneMore(known, payment, placed);
  const { eligibility: rule, perCustomerLimit } = counter;
  const uses = customers.get(discount.id);
  if (!uses || (perCustomerLimit !== null && uses.used >= perCustomerLimit))
    throw refusal('DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED', discount, index);
  if (rule === 'first_time' && first.paymentId !== null)
    throw refusal('DISCOUNT_CUSTOMER_NOT_ELIGIBLE', discount, index);
  const timesUsed = usesOf(known) + 1;
  return { discount: { ...discount, timesUsed }, index, rule, counter, uses: { ...uses, used: uses.used + 1 } };
}

function oneMore(counters: readonly UseCounter[], payment: Payment, { discount, index }: Placed): UseCounter {
  const after = counters.length === 0 ? 'INVALID_DISCOUNT_CODE' : takeUse(counters, payment.id);
  if (after === 'changed') throw new StaleVersion();
  if (typeof after === 'string') throw refusal(after, discount, index);
  return after;
}

const refusal = (fault: RedemptionFault, { code }: PaymentDiscount, index: number) =>
  refuseCode(fault, code, `discount_codes[${index}]`);

async function isEligible(
  { hasBought, isGuest }: EligibilityDeps,
  who: Discount['eligibility'],
  { discountId, customerId }: { discountId: string; customerId: string },
): Promise<boolean> {
  if (who === 'any') return true;
  if (who === 'specific') return isGuest(discountId, customerId);
  return (await hasBought(customerId)) === (who === 'existing');
}

/** Gives back the uses of a payment that has ended without money, for the transaction that ends it. */
export async function returnUses({ payments }: CountUsesDeps, payment: Payment): Promise<UseChanges | undefined> {
  const { id, discounts = [], customer } = payment;
  if (discounts.length === 0 || holdsItsCodes(payment)) return undefined;
  const { counters, customers, first } = await payments.findUses(idsOf(discounts), customer.id);
  return {
    counters: [...counters.values()].flatMap((rows) => returnUse(rows, id) ?? []),
    customers: [...customers.values()].flatMap((uses) => (uses.used > 0 ? [{ ...uses, used: uses.used - 1 }] : [])),
    first: first.paymentId === id ? { ...first, paymentId: null } : undefined,
  };
}
