import { dodo } from './dodo-product.ts';
import type { DodoDiscount } from './dodo-shapes.ts';
import { markOf, type ShopItem } from './shop.ts';
import type { ShopCollection } from './shop-collection.ts';

/** How often a code can still be used; undefined without a limit. */
const usesLeft = ({ usage_limit: limit, times_used: used = 0 }: DodoDiscount): number | undefined =>
  limit === undefined ? undefined : limit - used;

/** Adds a discount code, unless it has ended. Its limit becomes what is left of it. */
export function addDodoDiscount(collection: ShopCollection, discount: DodoDiscount, now: Date): void {
  const { discount_id: id, usage_limit: limit, times_used: used, restricted_to: products } = discount;
  const named = { kind: 'discount' as const, id };
  const reason = reasonToLeaveOut(discount, now);
  if (reason) {
    collection.leaveOut(named, `the code ${discount.code} ${reason}`);
    return;
  }
  const left = usesLeft(discount);
  if (used && left) collection.note(named, `${used} of its ${limit} uses are gone, so its limit here is ${left}.`);
  collection.add({ ...named, ...(products && { products }), body: bodyOf(discount) });
}

function reasonToLeaveOut(discount: DodoDiscount, now: Date): string | undefined {
  if (discount.expires_at && new Date(discount.expires_at) <= now) return 'has expired.';
  if (usesLeft(discount) === 0) return 'is used up.';
  if (discount.customer_eligibility === 'specific') return 'is for chosen customers, whom the source does not list.';
  return undefined;
}

function bodyOf(discount: DodoDiscount): ShopItem['body'] {
  const [left, perCustomer] = [usesLeft(discount), discount.per_customer_usage_limit];
  return {
    type: discount.type,
    amount: discount.amount,
    code: discount.code,
    name: discount.name || undefined,
    currency_options: discount.currency_options?.map((one) => ({
      currency: one.currency,
      is_default: one.is_default,
      minimum_subtotal: one.minimum_subtotal,
      max_amount_possible: one.max_amount_possible,
    })),
    customer_eligibility: discount.customer_eligibility,
    usage_limit: left,
    per_customer_usage_limit: left && perCustomer ? Math.min(left, perCustomer) : perCustomer,
    starts_at: discount.starts_at,
    expires_at: discount.expires_at,
    subscription_cycles: discount.subscription_cycles,
    preserve_on_plan_change: discount.preserve_on_plan_change,
    metadata: { ...discount.metadata, ...markOf(dodo, discount.discount_id) },
  };
}
