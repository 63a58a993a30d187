import * as z from 'zod';
import { ApiKey } from '../../domain/access/api-key.ts';
import { ApiKeyList, withApiKey } from '../../domain/access/api-key-list.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';
import { recordWrite } from './audit-store.ts';

export interface ApiKeyStore {
  find(hash: string): Promise<ApiKey | undefined>;
  list(): Promise<ApiKeyList>;
  /** Writes a key and the list of keys. Throws StaleVersion if another key was written in between. */
  save(key: ApiKey, records?: readonly CommandRecord[]): Promise<void>;
  /** Writes several keys and their list. Throws StaleVersion if the list changed since it was read. */
  saveAll(before: ApiKeyList, keys: readonly ApiKey[], records: readonly CommandRecord[]): Promise<void>;
  /**
   * The stack's own secret, which never changes. Undefined before it is first needed. Version 0.2.0 also signs the
   * dashboard's sessions with it.
   */
  findSessionSecret(): Promise<string | undefined>;
  /** Stores the secret only once. Throws StaleVersion if there is one already. */
  saveSessionSecret(secret: string): Promise<void>;
}

const SessionSecret = z.object({ secret: z.string().min(32) });

export function apiKeyStore(table: Table): ApiKeyStore {
  const list = async () => (await findData(table, keys.apiKeyList(), ApiKeyList)) ?? { keys: [], version: 0 };
  const saveAll: ApiKeyStore['saveAll'] = (before, changed, records) =>
    commit(table, [...records.map(recordWrite), ...apiKeyWrites(before, changed)]);
  return {
    find: (hash) => findData(table, keys.apiKey(hash), ApiKey),
    list,
    save: async (key, records = []) => saveAll(await list(), [key], records),
    saveAll,
    findSessionSecret: async () => (await findData(table, keys.sessionSecret(), SessionSecret))?.secret,
    saveSessionSecret: (secret) =>
      commit(table, [
        {
          put: { ...keys.sessionSecret(), entity: 'SECRET', data: { secret } },
          condition: ifAbsent,
          refusal: stale,
        },
      ]),
  };
}

const stale = () => new StaleVersion();

/** The writes for changed keys and for their list. The list is written even if no key changes. */
export function apiKeyWrites(before: ApiKeyList, changed: readonly ApiKey[]): Write[] {
  const after = changed.reduce((list, key) => withApiKey(list, key, key.revokedAt ?? key.createdAt), before);
  return [listWrite(after), ...changed.map(keyWrite)];
}

/** The write of a key's row. Every call with the key reads this row. */
const keyWrite = (key: ApiKey): Write => ({
  put: { ...keys.apiKey(key.hash), entity: 'KEY', data: key },
  refusal: stale,
});

const listWrite = (list: ApiKeyList): Write => versionedWrite(list, { ...keys.apiKeyList(), entity: 'KEY' }, stale);
