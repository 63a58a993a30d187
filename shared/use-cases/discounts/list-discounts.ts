import { type CountedDiscount, type Discount, type DiscountBrief, isActive } from '../../domain/discounts/discount.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';

export interface ListDiscountsDeps {
  discounts: Pick<DiscountStore, 'list' | 'uses'>;
  now: () => Date;
}

interface DiscountFilter {
  /** Whether to list only codes that can be redeemed now (true) or cannot (false). Undefined lists both. */
  active: boolean | undefined;
  matches: (row: DiscountBrief) => boolean;
}

const portion = 100;

/**
 * A page of codes with the number of their uses. Only the counted uses show which codes are active, so the search reads
 * the codes in portions.
 */
export async function listDiscounts(
  deps: ListDiscountsDeps,
  { active, matches }: DiscountFilter,
  page: ItemPageRequest,
): Promise<ItemPage<CountedDiscount>> {
  if (active === undefined) {
    const { items, ...rest } = await deps.discounts.list(matches, page);
    return { ...rest, items: await countUses(deps, items) };
  }
  const now = deps.now().toISOString();
  const needed = page.skip + page.size + 1;
  const found: { item: CountedDiscount; sortKey: string }[] = [];
  for (let after = page.after; found.length < needed; ) {
    const {
      items,
      sortKeys = [],
      last,
      hasMore,
    } = await deps.discounts.list(matches, { size: portion, skip: 0, after });
    const counted = await countUses(deps, items);
    const listed = counted.map((item, index) => ({ item, sortKey: sortKeys[index] ?? '' }));
    found.push(...listed.filter(({ item }) => isActive(item.discount, item.used, now) === active));
    if (!hasMore) break;
    after = last;
  }
  const shown = found.slice(page.skip, page.skip + page.size);
  const sortKeys = shown.map(({ sortKey }) => sortKey);
  const items = shown.map(({ item }) => item);
  return { items, hasMore: found.length >= needed, last: sortKeys.at(-1), sortKeys };
}

async function countUses(deps: ListDiscountsDeps, discounts: readonly Discount[]): Promise<CountedDiscount[]> {
  const uses = await deps.discounts.uses(discounts.map(({ id }) => id));
  return discounts.map((discount) => ({ discount, used: uses.get(discount.id) ?? 0 }));
}
