import type { LoadCodes } from '../../domain/discounts/attached-discount.ts';
import type { Discount } from '../../domain/discounts/discount.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';

/** Reads the counts of a code that has a limit. Other codes do not need them. */
const countersOf = async (discounts: Pick<DiscountStore, 'counters'>, { id, usageLimit }: Discount) =>
  usageLimit === null ? [] : discounts.counters(id);

/** Reads the discounts of codes with their counters. Reads nothing if there are no codes. */
export const codesIn =
  (discounts: Pick<DiscountStore, 'findByCodes' | 'counters'>): LoadCodes =>
  async (codes) => {
    if (codes.length === 0) return [];
    const found = await discounts.findByCodes(codes);
    return Promise.all(
      found.map(async (discount) => discount && { discount, counters: await countersOf(discounts, discount) }),
    );
  };
