import * as z from 'zod';
import { StaleVersion } from '../../domain/idempotency.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent } from '../table/transaction.ts';

export interface OriginSecretStore {
  /** What every version of the secret is derived from; undefined before the first deployment with a front. */
  find(): Promise<string | undefined>;
  /** Keeps the first one for ever; throws StaleVersion when there is one. */
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
