import type { Grant } from '../../domain/entitlements/grant.ts';
import { newPoolCodes } from '../../domain/entitlements/pool-code.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { PoolStore } from '../../store/entitlements/pool-store.ts';
import { retryStale } from '../retry.ts';
import { type SettleGrantsDeps, settleGrants } from './settle-grants.ts';

export interface ImportCodesDeps extends SettleGrantsDeps {
  entitlements: SettleGrantsDeps['entitlements'] & Pick<EntitlementStore, 'get'>;
  grants: SettleGrantsDeps['grants'] & Pick<GrantStore, 'list'>;
  pool: PoolStore;
}

/** What an import did: how many codes are new, how many the pool already had, and how many nobody has now. */
export interface ImportedCodes {
  added: number;
  repeated: number;
  free: number;
}

/** The most sales that an import serves at once. The sweep serves the others. */
const servedAtOnce = 50;
const waitingRead = 100;

/** Adds codes to a pool. Sales that wait get them first, the oldest first. */
export async function importCodes(
  deps: ImportCodesDeps,
  entitlementId: string,
  codes: readonly string[],
  claim: Claim<ImportedCodes>,
): Promise<ImportedCodes> {
  const { config } = await deps.entitlements.get(entitlementId);
  if (config.type !== 'license_key' || config.fulfillment !== 'pool')
    throw new DomainError('CONFLICT', `${entitlementId} has no pool of codes.`);
  const fresh = newPoolCodes(entitlementId, codes, deps.now().toISOString());
  const imported = (added: number, free: number) => ({ added, repeated: codes.length - added, free });
  const before = await deps.pool.count(entitlementId);
  const added = await retryStale(() =>
    deps.pool.add(fresh, (count) =>
      claim(imported(count, before + count), {
        command: 'entitlement.import_codes',
        subject: entitlementId,
        details: { codes: count },
      }),
    ),
  );
  await serveWaiting(deps, entitlementId, added);
  return imported(added, await deps.pool.count(entitlementId));
}

async function serveWaiting(deps: ImportCodesDeps, entitlementId: string, added: number): Promise<void> {
  if (added === 0) return;
  const waiting = await waitingGrants(deps, entitlementId);
  const payments = [...new Set(waiting.map(({ paymentId }) => paymentId))];
  for (const paymentId of payments.slice(0, Math.min(added, servedAtOnce))) await settleGrants(deps, paymentId);
}

/**
 * The grants that wait for a code, the oldest first. Sales wait only since the pool is empty, so the search goes back
 * from the newest, and ends where it finds few. The sweep serves whatever it misses.
 */
async function waitingGrants({ grants }: ImportCodesDeps, entitlementId: string): Promise<Grant[]> {
  const matches = ({ status }: Grant) => status === 'pending';
  const found: Grant[] = [];
  for (let after: string | undefined; ; ) {
    const page = await grants.list({ of: { entitlementId }, matches }, { size: waitingRead, skip: 0, after });
    found.push(...page.items);
    if (!page.hasMore || page.items.length < waitingRead) return found.reverse();
    after = page.last;
  }
}
