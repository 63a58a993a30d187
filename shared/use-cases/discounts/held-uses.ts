import { dayMs } from '../../domain/duration.ts';
import type { PaymentBrief } from '../../domain/payments/payment-row.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';

export interface HeldUsesDeps {
  payments: Pick<PaymentLists, 'listBriefly'>;
  now: () => Date;
}

/** After how many days an unfinished payment is no longer searched for. */
const searchedDays = 30;
const mostHeld = 500;

const isOpen = ({ status }: PaymentBrief): boolean => status === 'processing' || status === 'requires_customer_action';

/**
 * How many uses of codes are reserved by unfinished payments. It reads the list of payments, which can be a moment
 * behind. Reads nothing if there are no codes.
 */
export async function heldUses({ payments, now }: HeldUsesDeps, ids: readonly string[]): Promise<Map<string, number>> {
  const held = new Map<string, number>();
  if (ids.length === 0) return held;
  const createdFrom = new Date(now().getTime() - searchedDays * dayMs).toISOString();
  const matches = (row: PaymentBrief) => isOpen(row) && (row.discountIds ?? []).some((id) => ids.includes(id));
  const { items } = await payments.listBriefly({ createdFrom, matches }, { size: mostHeld, skip: 0, after: undefined });
  for (const id of items.flatMap(({ discountIds = [] }) => discountIds)) held.set(id, (held.get(id) ?? 0) + 1);
  return held;
}
