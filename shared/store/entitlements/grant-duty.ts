import { givesSomething } from '../../domain/entitlements/grant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { grantsDuePartition, keys, timeKey } from '../keys.ts';
import type { RowPut } from '../table/write.ts';

/**
 * The row that makes the sweep check a payment's grants. It is written when a payment succeeds, is refunded or is
 * disputed. It contains the version of the payment, so a worker that has read an older version cannot remove the row. A
 * payment that gives nothing has no such row.
 */
export function grantDutyWrites(payment: Payment): RowPut[] {
  if (payment.status !== 'succeeded' || !givesSomething(payment)) return [];
  const { id, updatedAt, version } = payment;
  const due = { duePk: grantsDuePartition, dueSk: timeKey(updatedAt, id) };
  const put = { ...keys.grantDuty(id), entity: 'DUTY', ...due, version: version + 1 };
  return [{ put, refusal: () => new Error(`The duty of ${id} has no condition.`) }];
}
