import { type Brand, Brands } from '../../domain/catalogue/brand.ts';
import { Policies } from '../../domain/catalogue/policies.ts';
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
  policies(): Promise<Policies>;
  /** Saves the policy texts, and in the brands which of the texts exist. */
  savePolicies(changed: { policies: Policies; brands: Brands }, records: readonly CommandRecord[]): Promise<void>;
}

const brandsWrite = (brands: Brands) =>
  versionedWrite(brands, { ...keys.brands(), entity: 'BRAND' }, () => new StaleVersion());

export function brandStore(table: Table, primary: Brand): BrandStore {
  return {
    get: async () => {
      const all: Brands = (await findData(table, keys.brands(), Brands)) ?? { brands: [], version: 0 };
      const isStored = all.brands.some(({ id }) => id === primary.id);
      return isStored ? all : { ...all, brands: [primary, ...all.brands] };
    },
    save: (brands, records) => commit(table, [...records.map(recordWrite), brandsWrite(brands)]),
    policies: async () => (await findData(table, keys.policies(), Policies)) ?? { texts: {}, version: 0 },
    savePolicies: ({ policies, brands }, records) => {
      const write = versionedWrite(policies, { ...keys.policies(), entity: 'BRAND' }, () => new StaleVersion());
      return commit(table, [...records.map(recordWrite), brandsWrite(brands), write]);
    },
  };
}
