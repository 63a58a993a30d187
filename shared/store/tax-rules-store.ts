import { type CommandRecord, StaleVersion } from '../domain/idempotency.ts';
import { noTaxRules, TaxRules } from '../tax/rules/tax-rules.ts';
import { recordWrite } from './access/audit-store.ts';
import { keys } from './keys.ts';
import { findData } from './table/read.ts';
import type { Table } from './table/table.ts';
import { commit, versionedWrite } from './table/transaction.ts';

export interface TaxRulesStore {
  get(): Promise<TaxRules>;
  save(rules: TaxRules, records: readonly CommandRecord[]): Promise<void>;
}

export function taxRulesStore(table: Table): TaxRulesStore {
  return {
    get: async () => (await findData(table, keys.taxRules(), TaxRules)) ?? noTaxRules,
    save: (rules, records) => {
      const write = versionedWrite(rules, { ...keys.taxRules(), entity: 'TAX' }, () => new StaleVersion());
      return commit(table, [...records.map(recordWrite), write]);
    },
  };
}
