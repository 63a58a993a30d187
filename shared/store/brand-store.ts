import { type Brand, Brands } from '../domain/brand.ts';
import { type CommandRecord, StaleVersion } from '../domain/idempotency.ts';
import { recordWrite } from './audit-store.ts';
import { keys } from './keys.ts';
import { findData } from './read.ts';
import type { Table } from './table.ts';
import { commit, versionedWrite } from './transaction.ts';

export interface BrandStore {
  /** All of them; the primary one is always there, whether or not it has ever been changed. */
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
