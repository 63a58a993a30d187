import { daySeconds } from '../../domain/duration.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { RefundAllowance } from '../../domain/payments/refund-allowance.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

export interface RefundAllowanceStore {
  /** Reads how much a key has refunded on a day. It is zero if there is no row. */
  get(hash: string, day: string): Promise<RefundAllowance>;
}

export function refundAllowanceStore(table: Table): RefundAllowanceStore {
  return {
    get: async (hash, day) =>
      (await findData(table, keys.refundAllowance(hash, day), RefundAllowance)) ?? { hash, day, spent: 0, version: 0 },
  };
}

/** How many days a row is kept. By then, the day has ended on every clock. */
const keptDays = 3;

/**
 * Counts a refund in the same transaction as the refund. So two refunds at the same time cannot both use the rest of
 * the limit.
 */
export const allowanceWrite = (allowance: RefundAllowance): Write =>
  versionedWrite(
    allowance,
    {
      ...keys.refundAllowance(allowance.hash, allowance.day),
      entity: 'ALLOWANCE',
      ttl: Date.parse(allowance.day) / 1_000 + keptDays * daySeconds,
    },
    () => new StaleVersion(),
  );
