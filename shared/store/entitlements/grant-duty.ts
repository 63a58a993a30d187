import { givesSomething } from '../../domain/entitlements/grant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { grantsDuePartition, keys, timeKey } from '../keys.ts';
import type { RowPut } from '../table/write.ts';

/**
 * The duty to look at a payment's grants, written together with a payment that succeeds, or whose money moves back. It
 * names the payment's version, so a worker that has read an older one cannot end it. Nothing for a payment that gives
 * nothing.
 */
export function grantDutyWrites(payment: Payment): RowPut[] {
  if (payment.status !== 'succeeded' || !givesSomething(payment)) return [];
  const { id, updatedAt, version } = payment;
  const due = { duePk: grantsDuePartition, dueSk: timeKey(updatedAt, id) };
  const put = { ...keys.grantDuty(id), entity: 'DUTY', ...due, version: version + 1 };
  return [{ put, refusal: () => new Error(`The duty of ${id} has no condition.`) }];
}
