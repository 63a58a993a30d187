import { type CommandRecord, StaleVersion } from '../domain/idempotency.ts';
import type { DayRates } from '../domain/money/exchange-rates.ts';
import { HomeSales, noHomeSales } from '../tax/rules/small-seller.ts';
import { FirstRegistrations, noTaxRules, TaxRules } from '../tax/rules/tax-rules.ts';
import { recordWrite } from './access/audit-store.ts';
import { keys } from './keys.ts';
import { findData, findItem } from './table/read.ts';
import type { Table } from './table/table.ts';
import { commit, versionedWrite } from './table/transaction.ts';
import type { Item, RowUpdate } from './table/write.ts';

export interface TaxRulesStore {
  get(): Promise<TaxRules>;
  save(rules: TaxRules, records: readonly CommandRecord[]): Promise<void>;
  /** The sales of a small seller to other member states. */
  homeSales(): Promise<HomeSales>;
  /**
   * Stores the newest exchange rates in the row of the small seller's sales. A checkout reads this row anyway, so it
   * needs no other read for the rates.
   */
  keepHomeRates(rates: DayRates): Promise<void>;
  /**
   * The copy of the registrations, which decides about sales without a scheme. The first call stores the current
   * registrations for ever.
   */
  keepFirst(now: Date): Promise<FirstRegistrations>;
}

export function taxRulesStore(table: Table): TaxRulesStore {
  const get = async () => (await findData(table, keys.taxRules(), TaxRules)) ?? noTaxRules;
  const findFirst = () => findData(table, keys.firstRegistrations(), FirstRegistrations);
  return {
    get,
    homeSales: async () => {
      const row = await findItem(table, keys.homeSales());
      return row ? HomeSales.parse({ counted: countedIn(row), rates: row['rates'] }) : noHomeSales;
    },
    keepHomeRates: (rates) =>
      commit(table, [
        {
          update: {
            Key: keys.homeSales(),
            ConditionExpression: 'attribute_not_exists(rates) OR rates.#date < :date',
            UpdateExpression: 'SET rates = :rates, entity = :entity',
            ExpressionAttributeNames: { '#date': 'date' },
            ExpressionAttributeValues: { ':rates': rates, ':date': rates.date, ':entity': 'TAX' },
          },
          refusal: () => new StaleVersion(),
        },
      ]).catch((error: unknown) => {
        if (!(error instanceof StaleVersion)) throw error; // The stored rates are the same or newer.
      }),
    keepFirst: async (now) => {
      const kept = await findFirst();
      if (kept) return kept;
      const { registrations } = await get();
      const first = { registrations, takenAt: now.toISOString(), version: 0 };
      const attributes = { ...keys.firstRegistrations(), entity: 'TAX' };
      const isTaken = await commit(table, [versionedWrite(first, attributes, () => new StaleVersion())]).then(
        () => true,
        (error: unknown) => {
          if (error instanceof StaleVersion) return false;
          throw error;
        },
      );
      return isTaken ? first : ((await findFirst()) as FirstRegistrations);
    },
    save: (rules, records) => {
      const write = versionedWrite(rules, { ...keys.taxRules(), entity: 'TAX' }, () => new StaleVersion());
      return commit(table, [...records.map(recordWrite), write]);
    },
  };
}

const yearAttribute = /^y(\d{4})$/;

const countedIn = (row: Item): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const year = yearAttribute.exec(name)?.[1];
      return year === undefined ? [] : [[year, value]];
    }),
  );

/**
 * A change of a small seller's count of a year. `most` is the highest count before the change, for a sale that is taxed
 * in the seller's own country.
 */
export interface HomeSaleStep {
  year: string;
  by: number;
  most?: number | undefined;
}

/**
 * Changes a small seller's count of a year. Refuses a sale with the tax of the seller's own country that would exceed
 * the limit.
 */
export function homeSaleWrite({ year, by, most }: HomeSaleStep): RowUpdate {
  const limited = most !== undefined && {
    ConditionExpression: 'attribute_not_exists(#year) OR #year <= :most',
  };
  return {
    update: {
      Key: keys.homeSales(),
      ConditionExpression: 'attribute_not_exists(#year) OR #year >= :least',
      ...limited,
      UpdateExpression: 'ADD #year :by SET entity = :entity',
      ExpressionAttributeNames: { '#year': `y${year}` },
      ExpressionAttributeValues: {
        ':by': by,
        ':entity': 'TAX',
        ...(limited ? { ':most': most } : { ':least': 0 }),
      },
    },
    refusal: () => new StaleVersion(),
  };
}
