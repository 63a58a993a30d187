import * as z from 'zod';
import { StaleVersion } from '../../domain/idempotency.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent } from '../table/transaction.ts';

export interface OriginSecretStore {
  /**
   * Finds the secret from which all versions of the origin secret are derived. Undefined before the first deployment
   * behind a CDN.
   */
  find(): Promise<string | undefined>;
  /** Stores this secret only once. Throws StaleVersion if there is one already. */
  save(master: string): Promise<void>;
}

const Stored = z.object({ master: z.string().min(32) });

export const originSecretStore = (table: Table): OriginSecretStore => ({
  find: async () => (await findData(table, keys.originSecret(), Stored))?.master,
  save: (master) =>
    commit(table, [
      {
        put: { ...keys.originSecret(), entity: 'ORIGIN', data: { master } },
        condition: ifAbsent,
        refusal: () => new StaleVersion(),
      },
    ]),
});
