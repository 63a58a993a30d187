import type { ExportJob } from '../../domain/reports/export-job.ts';
import { type FiledReturn, filedUpTo } from '../../domain/reports/returns/filed-return.ts';
import type { TaxMovement } from '../../domain/reports/returns/movement.ts';
import type { FiledReturnStore } from '../../store/filed-return-store.ts';
import { type LoadMovementsDeps, movementsOf } from './load-movements.ts';

interface LateMovementsDeps extends LoadMovementsDeps {
  filedReturns: Pick<FiledReturnStore, 'movementsOf'>;
}

/**
 * The movements that filed returns have missed, in portions. They are in a filed period, but no return of the kind has
 * declared them, such as a payment that ended after the filing. It reads only payments that are not known yet.
 */
export async function* lateMovementsOf(
  deps: LateMovementsDeps,
  filed: readonly FiledReturn[],
  job: Pick<ExportJob, 'kind' | 'from' | 'to'>,
): AsyncGenerator<TaxMovement[]> {
  const declaredLate = filed.filter(({ kind }) => kind === job.kind).flatMap(({ late }) => late);
  for (const before of filedUpTo(filed, job)) {
    const known = new Set(declaredLate);
    for await (const { counted, others } of deps.filedReturns.movementsOf(before))
      for (const key of [...counted, ...others]) known.add(key);
    for await (const movements of movementsOf(deps, before, known))
      yield movements.filter(({ kind }) => kind !== 'disputed').map((movement) => ({ ...movement, isLate: true }));
  }
}
