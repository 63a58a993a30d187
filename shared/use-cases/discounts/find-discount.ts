import { type CountedDiscount, refuseCode, timeFault } from '../../domain/discounts/discount.ts';
import { usesOf } from '../../domain/discounts/use-counter.ts';
import { mayHaveRoom } from '../../domain/discounts/use-shard.ts';
import { notFound } from '../../domain/errors.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';

export interface FindDiscountDeps {
  discounts: Pick<DiscountStore, 'get' | 'findByCodes' | 'counters' | 'oldestHold'>;
  now: () => Date;
}

/** Reads a discount with its number of uses. */
export async function getDiscount(
  { discounts }: Pick<FindDiscountDeps, 'discounts'>,
  id: string,
): Promise<CountedDiscount> {
  const [discount, counters] = await Promise.all([discounts.get(id), discounts.counters(id)]);
  return { discount, used: usesOf(counters) };
}

/** Reads the discount of a code that can be redeemed now. It does not check the buyer or the cart. */
export async function getByCode({ discounts, now }: FindDiscountDeps, code: string): Promise<CountedDiscount> {
  const [discount] = await discounts.findByCodes([code]);
  if (!discount) throw notFound('discount with the code', code);
  const fault = timeFault(discount, now().toISOString());
  if (fault) throw refuseCode(fault, discount.code, 'code');
  const counters = await discounts.counters(discount.id);
  const used = usesOf(counters);
  const hold = await discounts.oldestHold(discount, counters);
  if (!mayHaveRoom(counters, discount.usageLimit, { hold, now: now() }))
    throw refuseCode('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED', discount.code, 'code');
  return { discount, used };
}
