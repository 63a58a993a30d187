import { ApiKey, ApiKeyList, withApiKey } from '../domain/api-key.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import { StaleVersion } from '../domain/idempotency.ts';
import { idempotencyWrite } from './idempotency-store.ts';
import { keys } from './keys.ts';
import { findData } from './read.ts';
import type { Table } from './table.ts';
import { commit, versionedWrite, type Write } from './transaction.ts';

export interface ApiKeyStore {
  find(hash: string): Promise<ApiKey | undefined>;
  list(): Promise<ApiKeyList>;
  /** Writes a key together with what is to be seen of it; throws StaleVersion when another one was written meanwhile. */
  save(key: ApiKey, records?: readonly IdempotencyRecord[]): Promise<void>;
}

export function apiKeyStore(table: Table): ApiKeyStore {
  const list = async () => (await findData(table, keys.apiKeyList(), ApiKeyList)) ?? { keys: [], version: 0 };
  return {
    find: (hash) => findData(table, keys.apiKey(hash), ApiKey),
    list,
    save: async (key, records = []) => {
      const after = withApiKey(await list(), key, key.revokedAt ?? key.createdAt);
      await commit(table, [...records.map(idempotencyWrite), listWrite(after), keyWrite(key)]);
    },
  };
}

const stale = () => new StaleVersion();

/** What a call is checked against. */
const keyWrite = (key: ApiKey): Write => ({
  put: { ...keys.apiKey(key.hash), entity: 'KEY', data: key },
  refusal: stale,
});

const listWrite = (list: ApiKeyList): Write => versionedWrite(list, { ...keys.apiKeyList(), entity: 'KEY' }, stale);
