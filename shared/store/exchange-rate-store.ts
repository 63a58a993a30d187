import { DayRates } from '../domain/money/exchange-rates.ts';
import { keys } from './keys.ts';
import { queryRows } from './table/query.ts';
import type { Table } from './table/table.ts';
import { commit, ifAbsent } from './table/transaction.ts';

export interface ExchangeRateStore {
  /** Finds the rates of the last day before a date. Days without rates are skipped. */
  newestBefore(date: string): Promise<DayRates | undefined>;
  /** Finds the rates of a date, or of the first later day that has rates. */
  firstFrom(date: string): Promise<DayRates | undefined>;
  /**
   * Stores the rates of a day for ever. If the day already has rates, it returns them and stores nothing; otherwise
   * undefined.
   */
  keep(rates: DayRates): Promise<DayRates | undefined>;
}

/** Thrown if the table already has the rates of the day. */
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
