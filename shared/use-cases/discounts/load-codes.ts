import type { LoadCodes } from '../../domain/discounts/attached-discount.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';

/** Reads the discounts of codes with their counters. No code costs no read. */
export const codesIn =
  (discounts: Pick<DiscountStore, 'findByCodes' | 'counters'>): LoadCodes =>
  async (codes) => {
    if (codes.length === 0) return [];
    const found = await discounts.findByCodes(codes);
    return Promise.all(
      found.map(async (discount) => discount && { discount, counters: await discounts.counters(discount.id) }),
    );
  };
