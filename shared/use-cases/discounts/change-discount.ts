import { fieldsOf } from '../../domain/access/audit.ts';
import {
  type CountedDiscount,
  changeDiscount,
  type DiscountChange,
  deleteDiscount,
} from '../../domain/discounts/discount.ts';
import { usesOf } from '../../domain/discounts/use-counter.ts';
import { recounted } from '../../domain/discounts/use-shard.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';
import { retryStale } from '../retry.ts';
import { assertProducts, type CreateDiscountDeps } from './create-discount.ts';

export interface UpdateDiscountDeps extends Pick<CreateDiscountDeps, 'products'> {
  discounts: Pick<DiscountStore, 'get' | 'counters' | 'save'>;
}

/** Changes only the named fields. Writes all counters, so no redemption uses the old limits. */
export async function updateDiscount(
  deps: UpdateDiscountDeps,
  id: string,
  change: DiscountChange,
  claim: Claim<CountedDiscount>,
): Promise<CountedDiscount> {
  await assertProducts(deps.products, change.restrictedTo ?? []);
  return retryStale(async () => {
    const before = await deps.discounts.get(id);
    const discount = changeDiscount(before, change);
    const counters = recounted(await deps.discounts.counters(id), discount);
    const counted = { discount, used: usesOf(counters) };
    const isRenamed = discount.code !== before.code;
    await deps.discounts.save(
      { discount, counters, isClaimed: isRenamed, freed: isRenamed ? before.code : undefined },
      claim(counted, { command: 'discount.update', subject: id, details: { changed: fieldsOf(change) } }),
    );
    return counted;
  });
}

export interface DeleteDiscountDeps {
  discounts: UpdateDiscountDeps['discounts'];
  now: () => Date;
}

/** Deletes a code at once. Sessions that have the code cannot use it any more. Payments that have begun keep it. */
export function removeDiscount(
  deps: DeleteDiscountDeps,
  id: string,
  claim: Claim<CountedDiscount>,
): Promise<CountedDiscount> {
  return retryStale(async () => {
    const before = await deps.discounts.get(id);
    const discount = deleteDiscount(before, deps.now().toISOString());
    const counters = recounted(await deps.discounts.counters(id), discount);
    const counted = { discount, used: usesOf(counters) };
    const command = { command: 'discount.delete' as const, subject: id, details: {} };
    await deps.discounts.save({ discount, counters, isClaimed: false, freed: before.code }, claim(counted, command));
    return counted;
  });
}
