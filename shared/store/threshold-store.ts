import { StaleVersion } from '../domain/idempotency.ts';
import { noThresholdWatch, SoldDay, ThresholdWatch } from '../domain/reports/thresholds.ts';
import type { DomainEvent } from '../events/catalogue.ts';
import { eventWrite } from './events/event-store.ts';
import { keys } from './keys.ts';
import { queryBetween } from './table/query.ts';
import { findData } from './table/read.ts';
import type { Table } from './table/table.ts';
import { commit, versionedWrite } from './table/transaction.ts';

export interface ThresholdStore {
  getWatch(): Promise<ThresholdWatch>;
  /** Saves the results of the threshold check, with their events. */
  saveWatch(watch: ThresholdWatch, events: readonly DomainEvent[]): Promise<void>;
  /** Reads the daily sales of a period; a day without sales has no row. */
  daysOf(period: { from: string; to: string }): Promise<SoldDay[]>;
  /** Replaces the sales of a day. A day is counted again while its payments may still end. */
  saveDay(day: SoldDay): Promise<void>;
}

/**
 * The store of the threshold watch.
 * @param freeze makes the bytes of an event's payload, only once, when the change is committed
 */
export const thresholdStore = (table: Table, freeze: (event: DomainEvent) => string): ThresholdStore => ({
  getWatch: async () => (await findData(table, keys.thresholdWatch(), ThresholdWatch)) ?? noThresholdWatch,
  saveWatch: (watch, events) => {
    const write = versionedWrite(watch, { ...keys.thresholdWatch(), entity: 'SALES' }, () => new StaleVersion());
    return commit(table, [write, ...events.map((event) => eventWrite(event, freeze(event)))]);
  },
  daysOf: async ({ from, to }) =>
    (await queryBetween(table, keys.soldDay(from), keys.soldDay(to))).map(({ data }) => SoldDay.parse(data)),
  saveDay: (day) =>
    commit(table, [
      {
        put: { ...keys.soldDay(day.day), entity: 'SALES', data: day },
        refusal: () => new Error('A counted day is written without a condition.'),
      },
    ]),
});
