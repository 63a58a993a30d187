import { AccountLacks } from '../domain/processor.ts';
import { keys } from './keys.ts';
import { findData } from './table/read.ts';
import type { Table } from './table/table.ts';
import { commit } from './table/transaction.ts';

export interface AccountLacksStore {
  save(lacks: AccountLacks): Promise<void>;
  /** The result of the latest check; undefined if there was no check yet. */
  find(): Promise<AccountLacks | undefined>;
}

/**
 * The store of the rights and events that the account at the processor lacks. It has one row, which each comparison
 * replaces.
 */
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
