import { AccountLacks } from '../domain/processor.ts';
import { keys } from './keys.ts';
import { findData } from './table/read.ts';
import type { Table } from './table/table.ts';
import { commit } from './table/transaction.ts';

export interface AccountLacksStore {
  save(lacks: AccountLacks): Promise<void>;
  /** What was found last; undefined if nothing was found yet. */
  find(): Promise<AccountLacks | undefined>;
}

/** The store of what the account at the processor lacks. One row has it, and each comparison replaces it. */
export const accountLacksStore = (table: Table): AccountLacksStore => ({
  save: (data) =>
    commit(table, [
      {
        put: { ...keys.accountLacks(), entity: 'PROCESSOR', data },
        refusal: () => new Error('The row of the account has no condition.'),
      },
    ]),
  find: () => findData(table, keys.accountLacks(), AccountLacks),
});
