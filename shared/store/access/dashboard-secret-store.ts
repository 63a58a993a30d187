import { DashboardSecret } from '../../domain/access/dashboard-secret.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import { recordWrite } from './audit-store.ts';

export interface DashboardSecretStore {
  /** Finds the dashboard's secret. Undefined before the first sign-in, and in a table of version 0.2.0. */
  find(): Promise<DashboardSecret | undefined>;
  /** Saves the secret. Throws StaleVersion if another one was written since the last one was read. */
  save(secret: DashboardSecret, records: readonly CommandRecord[]): Promise<void>;
}

export const dashboardSecretStore = (table: Table): DashboardSecretStore => ({
  find: () => findData(table, keys.dashboardSecret(), DashboardSecret),
  save: (secret, records) =>
    commit(table, [
      ...records.map(recordWrite),
      versionedWrite(secret, { ...keys.dashboardSecret(), entity: 'SECRET' }, () => new StaleVersion()),
    ]),
});
