import type { FoundDiscount, LoadCodes } from '../../domain/discounts/attached-discount.ts';
import type { Discount } from '../../domain/discounts/discount.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';

type Discounts = Pick<DiscountStore, 'findByCodes' | 'counters' | 'oldestHold'>;

/** Adds the counts of a code that has a limit. Other codes do not need them. */
async function withCounts(discounts: Discounts, discount: Discount): Promise<FoundDiscount> {
  const counters = discount.usageLimit === null ? [] : await discounts.counters(discount.id);
  return { discount, counters, oldestHold: await discounts.oldestHold(discount, counters) };
}

/** Reads the discounts of codes with their counters. Reads nothing if there are no codes. */
export const codesIn =
  (discounts: Discounts): LoadCodes =>
  async (codes) => {
    if (codes.length === 0) return [];
    const found = await discounts.findByCodes(codes);
    return Promise.all(found.map((discount) => discount && withCounts(discounts, discount)));
  };
