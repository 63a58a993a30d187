import type { Pool } from '../../domain/entitlements/pool.ts';
import { newPoolCodes } from '../../domain/entitlements/pool-code.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { PoolStore } from '../../store/entitlements/pool-store.ts';
import { retryStale } from '../retry.ts';
import { type SettleGrantsDeps, serveWaiting } from './settle-grants.ts';

export interface ImportCodesDeps extends SettleGrantsDeps {
  entitlements: SettleGrantsDeps['entitlements'] & Pick<EntitlementStore, 'get'>;
  pool: SettleGrantsDeps['pool'] & Pick<PoolStore, 'add'>;
}

/**
 * The result of an import: how many codes are new, how many the pool already had, how many are free now, and how many
 * sales still wait.
 */
export interface ImportedCodes {
  added: number;
  repeated: number;
  free: number;
  waiting: number;
}

/** The most waiting sales that an import serves. Later sales and the sweep serve the others. */
const servedAtOnce = 50;

/** Adds codes to a pool. Waiting sales get them first, the oldest sale first. */
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
  const imported = (added: number, { free, waiting }: Pick<Pool, 'free' | 'waiting'>): ImportedCodes => ({
    ...{ added, repeated: codes.length - added },
    ...{ free, waiting },
  });
  const before = await deps.pool.get(entitlementId);
  const added = await retryStale(() =>
    deps.pool.add(fresh, (count) =>
      claim(imported(count, { ...before, free: before.free + count }), {
        command: 'entitlement.import_codes',
        subject: entitlementId,
        details: { codes: count },
      }),
    ),
  );
  return imported(added, await serveWaiting(deps, entitlementId, { most: servedAtOnce }));
}
