import { Grant } from '../../domain/entitlements/grant.ts';
import type { LicenseKey } from '../../domain/entitlements/license-key.ts';
import { notFound } from '../../domain/errors.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { keys, timeKey } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';
import { licenseKeyWrites } from './license-key-store.ts';

/** A grant's next state, with its licence key if that changes too. */
interface GrantCommit {
  grant: Grant;
  licenseKey?: LicenseKey | undefined;
}

export interface GrantStore {
  find(id: string): Promise<Grant | undefined>;
  get(id: string): Promise<Grant>;
  save(change: GrantCommit): Promise<void>;
}

export const grantWrite = (grant: Grant): Write =>
  versionedWrite(
    grant,
    {
      ...keys.grant(grant.id),
      entity: 'GRANT',
      row: grant,
      listPk: `GRANT#${grant.entitlementId}`,
      listSk: timeKey(grant.createdAt, grant.id),
      customerPk: `CUSTOMER#${grant.customerId}#GRANT`,
      customerSk: timeKey(grant.createdAt, grant.id),
    },
    () => new StaleVersion(),
  );

export function grantStore(table: Table): GrantStore {
  const find = (id: string) => findData(table, keys.grant(id), Grant);
  return {
    find,
    get: async (id) => {
      const grant = await find(id);
      if (!grant) throw notFound('grant', id);
      return grant;
    },
    save: ({ grant, licenseKey }) =>
      commit(table, [...(licenseKey ? licenseKeyWrites(licenseKey) : []), grantWrite(grant)]),
  };
}
