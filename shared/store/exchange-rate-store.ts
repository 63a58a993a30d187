import { DayRates } from '../domain/money/exchange-rates.ts';
import { keys } from './keys.ts';
import { queryRows } from './table/query.ts';
import type { Table } from './table/table.ts';
import { commit, ifAbsent } from './table/transaction.ts';

export interface ExchangeRateStore {
  /** The rates of the last day before a date that has any. */
  newestBefore(date: string): Promise<DayRates | undefined>;
  /** The rates of a date, or of the first day after it that has any. */
  firstFrom(date: string): Promise<DayRates | undefined>;
  /** Keeps a day's rates, once and for ever. Returns the rates that the day had before; undefined if it had none. */
  keep(rates: DayRates): Promise<DayRates | undefined>;
}

/** The day is in the table. */
class KnownDay extends Error {
  readonly rates: DayRates;

  constructor(rates: DayRates) {
    super(`The rates of ${rates.date} are known.`);
    this.rates = rates;
  }
}

export function exchangeRateStore(table: Table): ExchangeRateStore {
  const read = async (condition: string, day: string, isForward: boolean) => {
    const [row] = await queryRows(table, {
      KeyConditionExpression: `pk = :pk AND ${condition}`,
      ExpressionAttributeValues: { ':pk': keys.exchangeRates(day).pk, ':sk': keys.exchangeRates(day).sk },
      ScanIndexForward: isForward,
      Limit: 1,
      ConsistentRead: true,
    });
    return row && DayRates.parse(row['data']);
  };
  return {
    newestBefore: (date) => read('sk < :sk', date, false),
    firstFrom: (date) => read('sk >= :sk', date, true),
    keep: async (rates) => {
      const put = { ...keys.exchangeRates(rates.date), entity: 'RATE', data: rates };
      const refusal = (row?: Record<string, unknown>) => new KnownDay(DayRates.parse(row?.['data']));
      try {
        await commit(table, [{ put, condition: ifAbsent, refusal }]);
        return undefined;
      } catch (error) {
        if (error instanceof KnownDay) return error.rates;
        throw error;
      }
    },
  };
}
