import {
  type BuyerUses,
  type BuyingPlace,
  countedUses,
  type KnownPayment,
  withoutEnded,
} from '../../domain/discounts/buyer-uses.ts';
import { type Discount, type RedemptionFault, refuseCode } from '../../domain/discounts/discount.ts';
import { type CountRow, mayHaveRoom } from '../../domain/discounts/use-shard.ts';
import type { Payment, PaymentDiscount } from '../../domain/payments/payment.ts';
import type { CountedUses, FirstPurchase } from '../../store/discounts/use-rows.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';

export interface JudgeCodeDeps {
  payments: Pick<UseStore, 'oldestHolds'> & { find: (id: string) => Promise<Payment | undefined> };
  now: () => Date;
}

/** The functions that check who may use a restricted code. */
export interface EligibilityDeps {
  /** Whether a customer has a successful payment. */
  hasBought: (customerId: string) => Promise<boolean>;
  isGuest: (discountId: string, customerId: string) => Promise<boolean>;
}

/** The buyer who redeems a code. Absent for money that came late, because its customer was checked before. */
export interface Redeemer {
  eligibility: EligibilityDeps;
  place: BuyingPlace;
  /**
   * Frees a use of a code that is used up. It ends the oldest payment that has reserved a use too long without paying.
   * Returns false if there is none.
   */
  passOn: (discountId: string) => Promise<boolean>;
}

/** The hash of the browser. If the client keeps no cookie, it is the hash of the network. */
export const browserOf = (redeemer: Redeemer | undefined): string | null =>
  redeemer?.place.browser ?? redeemer?.place.network ?? null;

interface Placed {
  discount: PaymentDiscount;
  index: number;
}

/** A code of a payment that its customer may use, and how its use is counted. */
export interface Judged extends Placed {
  rule: Discount['eligibility'];
  rows: readonly CountRow[];
  buyer: BuyerUses;
}

interface CodeCheck {
  read: CountedUses;
  payment: Payment;
  placed: Placed;
  redeemer: Redeemer | undefined;
}

/** Refuses a code that is deleted or not for this customer, before a use is taken. */
export async function judgeCode(deps: JudgeCodeDeps, check: CodeCheck): Promise<Judged> {
  const { read, placed, redeemer } = check;
  const { discount, index } = placed;
  const rows = read.counts.get(discount.id) ?? [];
  const [terms] = rows;
  if (!terms || terms.isDeleted) throw codeRefusal('INVALID_DISCOUNT_CODE', placed);
  const named = read.buyers.get(discount.id) as BuyerUses;
  const needsEnds = terms.perCustomerLimit !== null || named.begun.length > mostNamed;
  const buyer = needsEnds ? withoutEnded(named, await statesOf(deps, named)) : named;
  const judged = { discount, index, rule: terms.eligibility, rows, buyer };
  if (redeemer) await assertTheirs(deps, { ...check, redeemer }, judged);
  return judged;
}

/** Refuses a customer who may not use the code, or who has used it as often as allowed. */
async function assertTheirs(
  deps: JudgeCodeDeps,
  { read, payment, placed, redeemer }: CodeCheck & { redeemer: Redeemer },
  { discount, rule, rows, buyer }: Judged,
): Promise<void> {
  const { perCustomerLimit = null, usageLimit = null } = rows[0] ?? {};
  const earlier = read.customers.get(discount.id)?.used ?? 0;
  const used = earlier + countedUses(buyer, payment.id, browserOf(redeemer));
  if (perCustomerLimit !== null && used >= perCustomerLimit) {
    const [hold] = await deps.payments.oldestHolds(discount.id, 1);
    const isUsedUp = !mayHaveRoom(rows, usageLimit, { hold, now: deps.now() });
    throw codeRefusal(
      isUsedUp ? 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED' : 'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED',
      placed,
    );
  }
  const who = { discountId: discount.id, customerId: payment.customer.id };
  const isTaken = rule === 'first_time' && (await isTakenByOther(deps, read.first, payment.id, redeemer));
  if (isTaken || !(await isEligible(redeemer.eligibility, rule, who)))
    throw codeRefusal('DISCOUNT_CUSTOMER_NOT_ELIGIBLE', placed);
}

/**
 * How many open payments a customer's row may list. With more, the state of each is looked up, and ended payments leave
 * the list.
 */
const mostNamed = 20;

async function statesOf({ payments }: JudgeCodeDeps, { begun }: BuyerUses): Promise<Map<string, KnownPayment>> {
  const states = begun.map(async ({ paymentId }) => [paymentId, await payments.find(paymentId)] as const);
  return new Map(await Promise.all(states));
}

/**
 * Whether another payment counts as the customer's first one: a paid one, or an open one that began in the same
 * browser.
 */
async function isTakenByOther(
  { payments }: JudgeCodeDeps,
  { paymentId, browser = null }: FirstPurchase,
  ownId: string,
  redeemer: Redeemer,
): Promise<boolean> {
  if (paymentId === null || paymentId === ownId) return false;
  const status = (await payments.find(paymentId))?.status;
  return status === 'succeeded' || (status === 'processing' && browser !== null && browser === browserOf(redeemer));
}

export const codeRefusal = (fault: RedemptionFault, { discount: { code }, index }: Placed) =>
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
