import type { DisputeAdjustment } from '../../domain/disputes/dispute-adjustment.ts';
import { dayMs } from '../../domain/duration.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type { ReturnKind } from '../../domain/reports/export-job.ts';
import type { FiledReturn } from '../../domain/reports/returns/filed-return.ts';
import { movementKey } from '../../domain/reports/returns/movement.ts';
import type { FiledReturnStore } from '../../store/filed-return-store.ts';

export interface FindDeclaredDeps {
  filedReturns: Pick<FiledReturnStore, 'list' | 'movementsOf'>;
}

/** A filed return that declares a sale, one of its refunds, or a lost dispute. */
export interface DeclaredMovement {
  kind: ReturnKind;
  from: string;
  to: string;
  /** The movement that it declares: `sale pay_…`. */
  key: string;
  isLate: boolean;
}

/** A movement that may be declared, with the day on which it counts. */
interface Wanted {
  key: string;
  day: string;
}

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

interface Moved {
  payment: Payment;
  refunds: readonly Pick<Refund, 'id' | 'updatedAt' | 'reverted'>[];
  adjustments: readonly Pick<DisputeAdjustment, 'id' | 'kind' | 'at'>[];
}

/** Finds the filed returns that declare a sale, its refunds and its lost disputes. */
export async function findDeclared(
  deps: FindDeclaredDeps,
  { payment, refunds, adjustments }: Moved,
): Promise<DeclaredMovement[]> {
  const wanted: Wanted[] = [
    { key: movementKey({ kind: 'sale', id: payment.id }), day: payment.calculation.taxDate },
    ...refunds.flatMap(({ id, updatedAt, reverted }) => [
      { key: movementKey({ kind: 'refund', id }), day: (reverted?.succeededAt ?? updatedAt).slice(0, 10) },
      ...(reverted ? [{ key: movementKey({ kind: 'refund_returned', id }), day: reverted.at.slice(0, 10) }] : []),
    ]),
    ...adjustments.map(({ id, kind, at }) => ({
      key: movementKey({ kind: `dispute_${kind}`, id }),
      day: at.slice(0, 10),
    })),
  ];
  const found = await Promise.all((await deps.filedReturns.list()).map((filed) => declaredIn(deps, filed, wanted)));
  return found.flat();
}

async function declaredIn(
  { filedReturns }: FindDeclaredDeps,
  filed: FiledReturn,
  wanted: readonly Wanted[],
): Promise<DeclaredMovement[]> {
  const { kind, from, to } = filed;
  // The day at the buyer's place and the UTC day differ by at most one.
  const possible = wanted.filter(
    ({ key, day }) => filed.late.includes(key) || (from <= shifted(day, 1) && shifted(day, -1) <= to),
  );
  if (possible.length === 0) return [];
  const counted = new Set<string>();
  for await (const part of filedReturns.movementsOf(filed)) for (const key of part.counted) counted.add(key);
  return possible
    .filter(({ key }) => counted.has(key))
    .map(({ key }) => ({ kind, from, to, key, isLate: filed.late.includes(key) }));
}
