import { noAccessOf } from '../../domain/entitlements/access-right.ts';
import { type Grant, grantsOwedBy, withOpening } from '../../domain/entitlements/grant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import { retryStale } from '../retry.ts';
import { type WaitingDeps, waitingLines } from '../withdrawal/load-waiting.ts';

export interface OpenLineDeps extends WaitingDeps {
  grants: Pick<GrantStore, 'findMany' | 'save'>;
}

/**
 * Stores that the buyer opened the keys, links and texts of a line. If the line still waits for the confirmation, it
 * stays closed. Opening it again changes nothing.
 */
export async function openLine(deps: OpenLineDeps, payment: Payment, line: number): Promise<void> {
  const ids = grantsOwedBy(payment).flatMap((owed) => (owed.line === line ? [owed.id] : []));
  await retryStale(async () => {
    const grants = [...(await deps.grants.findMany(ids)).values()];
    if ((await waitingLines(deps, payment, grants)).has(line)) return;
    const at = deps.now().toISOString();
    for (const grant of grants.filter((one) => isClosed(one, payment)))
      await deps.grants.save({ grant: withOpening(grant, at) });
  });
}

const isClosed = (grant: Grant, payment: Payment): boolean =>
  grant.openedAt === undefined && noAccessOf(grant, payment) === undefined;
