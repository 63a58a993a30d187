import { type CountedDiscount, type DiscountFields, newDiscount } from '../../domain/discounts/discount.ts';
import { newCounters } from '../../domain/discounts/use-counter.ts';
import { notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';
import { retryStale } from '../retry.ts';

export interface CreateDiscountDeps {
  discounts: Pick<DiscountStore, 'save'>;
  products: Pick<ProductStore, 'find'>;
  now: () => Date;
  newId: (prefix: 'dsc') => string;
  /** Returns this many random letters and digits. */
  randomText: (length: number) => string;
}

/** How many random characters a generated code has, so it cannot be guessed. */
const randomLength = 16;

/** Creates a code with its counters. Two discounts never have the same code. */
export async function createDiscount(
  deps: CreateDiscountDeps,
  { code, ...fields }: Omit<DiscountFields, 'code'> & { code: string | null },
  claim: Claim<CountedDiscount>,
): Promise<CountedDiscount> {
  await assertProducts(deps.products, fields.restrictedTo);
  return retryStale(async () => {
    const named = code ?? deps.randomText(randomLength).toUpperCase();
    const discount = newDiscount({ ...fields, code: named }, { id: deps.newId('dsc'), now: deps.now().toISOString() });
    const counted = { discount, used: 0 };
    const command = { command: 'discount.create' as const, subject: discount.id, details: {} };
    const commit = { discount, counters: newCounters(discount), isClaimed: true };
    await deps.discounts.save(commit, claim(counted, command));
    return counted;
  });
}

/** Refuses a product that does not exist. */
export async function assertProducts(products: Pick<ProductStore, 'find'>, ids: readonly string[]): Promise<void> {
  const found = await Promise.all(ids.map((id) => products.find(id)));
  const missing = found.indexOf(undefined);
  if (missing >= 0) throw notFound('product', ids[missing], `restricted_to[${missing}]`);
}
