import { type DisputeRow, disputedBy } from '../../domain/payments/dispute.ts';
import { isLost } from '../../domain/payments/dispute-standing.ts';
import type { DayPeriod } from '../../domain/reports/returns/period.ts';
import { addSales, lossOf, type Sales } from '../../domain/reports/sales.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import { endOfDay, startOfDay } from '../exports/load-movements.ts';
import { readAll } from './export-payments.ts';

export interface LoadLossesDeps {
  disputes: Pick<DisputeStore, 'list' | 'get'>;
}

interface Losses {
  /** The losses, by the UTC day on which the dispute was opened. On that day, the bank took the money. */
  byDay: ReadonlyMap<string, Sales>;
  /** Whether there are more lost disputes than one call reads. */
  isPartial: boolean;
}

const newest = { size: 998, skip: 0, after: undefined };

/** The money lost in disputes that were opened on some days, if the banks have already decided. */
export async function loadLosses(deps: LoadLossesDeps, { from, to }: DayPeriod): Promise<Losses> {
  const window = { createdFrom: startOfDay(from), createdTo: endOfDay(to), matches: isLost };
  const { items, hasMore } = await deps.disputes.list(window, newest);
  const losses = await readAll(items, async (row) => ({
    day: row.createdAt.slice(0, 10),
    sales: lossOf(row.currency, await disputedIn(deps, row)),
  }));
  const days = Map.groupBy(losses, ({ day }) => day);
  const byDay = new Map([...days].map(([day, found]) => [day, addSales(found.map(({ sales }) => sales))]));
  return { byDay, isPartial: hasMore };
}

/** The disputed amount of a row. Rows of 0.2.0 do not contain it, so the dispute itself is read. */
const disputedIn = async ({ disputes }: LoadLossesDeps, { id, disputed }: DisputeRow): Promise<number> =>
  disputed ?? disputedBy(await disputes.get(id));
