import * as z from 'zod';
import type { CountedDiscount, DiscountBrief } from '../../domain/discounts/discount.ts';
import { discountTypes } from '../../domain/discounts/discount-terms.ts';
import type { Site } from '../../domain/site.ts';
import { type ListTerms, onePaging, pageFields } from '../page.ts';
import { idOf } from '../values.ts';
import type { DiscountAnswer } from './discount-answer.ts';

const flagText = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

export const DiscountQuery = onePaging(
  z.strictObject({
    ...pageFields,
    active: flagText.optional(),
    code: z.string().max(16).optional(),
    discount_type: z.enum(discountTypes).optional(),
    product_id: idOf('pdt').optional(),
  }),
);

/**
 * Whether a discount matches a filter. It needs only the index, which contains everything except the number of uses.
 */
export const matchesDiscount =
  ({ code, discount_type: type, product_id: product }: z.output<typeof DiscountQuery>) =>
  (row: DiscountBrief): boolean =>
    (!code || row.code.includes(code.toUpperCase())) &&
    (!type || row.type === type) &&
    (!product || row.restrictedTo.length === 0 || row.restrictedTo.includes(product));

/** The limits of a list of discounts. The metadata of one discount may have 100 kB. */
export const discountTerms: ListTerms = { mostItemBytes: 112_500 };

export const presentDiscount =
  (site: Site) =>
  ({ discount, used }: CountedDiscount): DiscountAnswer<'Discount'> => ({
    discount_id: discount.id,
    business_id: site.businessId,
    type: discount.type,
    amount: discount.amount,
    code: discount.code,
    name: discount.name,
    currency_options: discount.currencies.map((row) => ({
      currency: row.currency,
      is_default: row.isDefault,
      max_amount_possible: row.maximum,
      minimum_subtotal: row.minimumSubtotal,
    })),
    restricted_to: discount.restrictedTo,
    times_used: used,
    usage_limit: discount.usageLimit,
    per_customer_usage_limit: discount.perCustomerLimit,
    starts_at: discount.startsAt,
    expires_at: discount.expiresAt,
    customer_eligibility: discount.eligibility,
    metadata: discount.metadata,
    preserve_on_plan_change: discount.keptOnPlanChange,
    subscription_cycles: discount.cycles,
    below_minimum: discount.belowMinimum,
    combinable: discount.combinable !== false,
    created_at: discount.createdAt,
  });

export const GuestQuery = onePaging(z.strictObject(pageFields));

export const presentGuest = ({ customerId, createdAt }: { customerId: string; createdAt: string }) => ({
  customer_id: customerId,
  created_at: createdAt,
});
