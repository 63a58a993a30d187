import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import {
  beginErasure,
  type CustomerProfile,
  type CustomerRecord,
  profileOf,
  recordOf,
  typistsOf,
} from '../../domain/customers/customer-record.ts';
import { whyNeeded } from '../../domain/customers/erasure.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { customerIdOf } from '../../domain/ids.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { isUndecided } from '../../domain/withdrawal/withdrawal-case.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PortalStore } from '../../store/portal/portal-store.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { retryStale } from '../retry.ts';
import { getCustomer, type LoadCustomerDeps } from './load-customer.ts';
import { type LoadSaleDeps, loadSale } from './load-sale.ts';

export interface RequestErasureDeps extends LoadCustomerDeps {
  customers: LoadCustomerDeps['customers'] & Pick<CustomerStore, 'save'>;
  payments: LoadCustomerDeps['payments'] & LoadSaleDeps['payments'] & Pick<PaymentLists, 'listOwn'>;
  disputes: LoadSaleDeps['disputes'];
  portals: Pick<PortalStore, 'closeErasureRequest'>;
  withdrawals: LoadSaleDeps['withdrawals'] & Pick<WithdrawalStore, 'typedBy'>;
  merchantId: string;
  now: () => Date;
}

/**
 * How many of the latest payments are checked before an erasure is accepted. Older payments that are still open delay
 * the erasure itself.
 */
const mostLookedAt = 25;

/**
 * Stores the request to erase a customer, and erases the merchant's own row at once. A worker erases the rest, and
 * continues after a crash until nothing is left. While the erasure runs, a second request changes nothing. After that,
 * it starts the erasure again.
 */
export async function requestErasure(
  deps: RequestErasureDeps,
  id: string,
  claim: Claim<CustomerProfile>,
): Promise<CustomerProfile> {
  const { profile, since } = await retryStale(async () => {
    const { profile: before, record } = await getCustomer(deps, id);
    const idOfEmail = before.email === '' ? id : customerIdOf(deps.merchantId, normalizeEmail(before.email));
    const erasing = beginErasure(record ?? recordOf(before), { now: deps.now().toISOString(), idOfEmail });
    await assertNotNeeded(deps, erasing);
    const after = profileOf(id, erasing, undefined) as CustomerProfile;
    const isRunning = record?.erasure?.endedAt === null;
    const done = { command: 'customer.erase', subject: id, details: {} } as const;
    await deps.customers.save(erasing, claim(after, isRunning ? null : done));
    return { profile: after, since: isRunning ? undefined : record?.erasure?.requestedAt };
  });
  await deps.portals.closeErasureRequest(id, since, deps.now());
  return profile;
}

/**
 * Refuses an erasure while money is still moving. The merchant may still have to inform or refund the buyer, or answer
 * in a dispute or about a withdrawal, also about one that was typed with the customer's address.
 */
async function assertNotNeeded(deps: RequestErasureDeps, record: CustomerRecord): Promise<void> {
  const { id: customerId } = record;
  const latest = { size: mostLookedAt, skip: 0, after: undefined };
  const [{ items }, own, typed] = await Promise.all([
    deps.payments.list({ customerId }, latest),
    deps.payments.listOwn(customerId, latest),
    Promise.all(typistsOf(record).map((typist) => deps.withdrawals.typedBy(typist))),
  ]);
  const open = typed.flat().find(isUndecided);
  if (open) throw new DomainError('CONFLICT', brokenRule(sentences.erase_withdrawal, { withdrawal: open.id }));
  const ids = items.filter(({ hasOwnAddress }) => !hasOwnAddress).map(({ id }) => id);
  for (const id of new Set([...ids, ...own.items])) {
    const reason = whyNeeded(await loadSale(deps, id));
    if (reason) throw new DomainError('CONFLICT', reason);
  }
}
