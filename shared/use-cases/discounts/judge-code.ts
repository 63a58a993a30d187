import {
  type BuyerUses,
  type BuyingPlace,
  countedUses,
  type KnownPayment,
  withoutEnded,
} from '../../domain/discounts/buyer-uses.ts';
import { type Discount, type RedemptionFault, refuseCode } from '../../domain/discounts/discount.ts';
import { type CountRow, mayHaveRoom, type UseShard } from '../../domain/discounts/use-shard.ts';
import type { Payment, PaymentDiscount } from '../../domain/payments/payment.ts';
import type { CountedUses, FirstPurchase } from '../../store/discounts/use-rows.ts';

export interface JudgeCodeDeps {
  payments: { find: (id: string) => Promise<Payment | undefined> };
  now: () => Date;
}

/** Who may use a code that is not for everybody. */
export interface EligibilityDeps {
  /** Whether a customer has a payment that has succeeded. */
  hasBought: (customerId: string) => Promise<boolean>;
  isGuest: (discountId: string, customerId: string) => Promise<boolean>;
}

/** Who redeems: absent for money that came late, whose customer was judged before. */
export interface Redeemer {
  eligibility: EligibilityDeps;
  place: BuyingPlace;
  /** Makes room in a code that is full, by ending the oldest payment that has kept a use unpaid for long; false: there is none. */
  passOn: (shards: readonly UseShard[]) => Promise<boolean>;
}

/** The browser, or the network of a program that keeps no cookie. */
export const browserOf = (redeemer: Redeemer | undefined): string | null =>
  redeemer?.place.browser ?? redeemer?.place.network ?? null;

interface Placed {
  discount: PaymentDiscount;
  index: number;
}

/** A code of a payment that its customer may use, and how it counts. */
export interface Judged extends Placed {
  rule: Discount['eligibility'];
  rows: readonly CountRow[];
  buyer: BuyerUses;
}

interface Asked {
  read: CountedUses;
  payment: Payment;
  placed: Placed;
  redeemer: Redeemer | undefined;
}

/** Refuses a code that is deleted, or not for this customer, before any use is taken. */
export async function judgeCode(deps: JudgeCodeDeps, asked: Asked): Promise<Judged> {
  const { read, placed, redeemer } = asked;
  const { discount, index } = placed;
  const rows = read.counts.get(discount.id) ?? [];
  const [terms] = rows;
  if (!terms || terms.isDeleted) throw codeRefusal('INVALID_DISCOUNT_CODE', placed);
  const named = read.buyers.get(discount.id) as BuyerUses;
  const needsEnds = terms.perCustomerLimit !== null || named.begun.length > mostNamed;
  const buyer = needsEnds ? withoutEnded(named, await statesOf(deps, named)) : named;
  const judged = { discount, index, rule: terms.eligibility, rows, buyer };
  if (redeemer) await assertTheirs(deps, { ...asked, redeemer }, judged);
  return judged;
}

/** Refuses a customer who has used the code as often as they may, or whom the code is not for. */
async function assertTheirs(
  deps: JudgeCodeDeps,
  { read, payment, placed, redeemer }: Asked & { redeemer: Redeemer },
  { discount, rule, rows, buyer }: Judged,
): Promise<void> {
  const { perCustomerLimit = null, usageLimit = null } = rows[0] ?? {};
  const earlier = read.customers.get(discount.id)?.used ?? 0;
  const used = earlier + countedUses(buyer, payment.id, browserOf(redeemer));
  if (perCustomerLimit !== null && used >= perCustomerLimit) {
    const isUsedUp = !mayHaveRoom(rows, usageLimit, deps.now());
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

/** How many payments a customer's row names before their ends are looked up in any case. */
const mostNamed = 20;

async function statesOf({ payments }: JudgeCodeDeps, { begun }: BuyerUses): Promise<Map<string, KnownPayment>> {
  const states = begun.map(async ({ paymentId }) => [paymentId, await payments.find(paymentId)] as const);
  return new Map(await Promise.all(states));
}

/** Whether another payment was the customer's first one: a paid one, or an open one that began in the same browser. */
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
