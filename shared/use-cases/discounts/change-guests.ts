import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { customerIdOf } from '../../domain/ids.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';
import type { GuestStore } from '../../store/discounts/guest-store.ts';

export interface ChangeGuestsDeps {
  discounts: Pick<DiscountStore, 'get'>;
  guests: Pick<GuestStore, 'add' | 'remove'>;
  merchantId: string;
  now: () => Date;
}

/** Allows customers to use a restricted code. A buyer can be added by e-mail address before the first purchase. */
export async function addGuests(
  deps: ChangeGuestsDeps,
  id: string,
  { customerIds, emails }: { customerIds: readonly string[]; emails: readonly string[] },
  claim: Claim<string[]>,
): Promise<string[]> {
  await deps.discounts.get(id);
  const byEmail = emails.map((email) => customerIdOf(deps.merchantId, normalizeEmail(email)));
  const added = [...new Set([...customerIds, ...byEmail])];
  const command = { command: 'discount.allow' as const, subject: id, details: { customers: added.length } };
  await deps.guests.add(id, added, deps.now().toISOString(), claim(added, command));
  return added;
}

/** Removes a customer from the guest list. If the customer is not on it, nothing changes. */
export async function removeGuest(
  deps: ChangeGuestsDeps,
  { id, customerId }: { id: string; customerId: string },
  claim: Claim<void>,
): Promise<void> {
  await deps.discounts.get(id);
  const command = { command: 'discount.disallow' as const, subject: id, details: { customer: customerId } };
  await deps.guests.remove(id, customerId, deps.now().toISOString(), claim(undefined, command));
}
