import { type Brand, Brands } from '../../domain/catalogue/brand.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';

export interface BrandStore {
  /** All brands. The primary one is always included, even before its first change. */
  get(): Promise<Brands>;
  save(brands: Brands, records: readonly CommandRecord[]): Promise<void>;
}

export function brandStore(table: Table, primary: Brand): BrandStore {
  return {
    get: async () => {
      const { brands, version } = (await findData(table, keys.brands(), Brands)) ?? { brands: [], version: 0 };
      const isStored = brands.some(({ id }) => id === primary.id);
      return { brands: isStored ? brands : [primary, ...brands], version };
    },
    save: (brands, records) => {
      const write = versionedWrite(brands, { ...keys.brands(), entity: 'BRAND' }, () => new StaleVersion());
      return commit(table, [...records.map(recordWrite), write]);
    },
  };
}
