import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { ApiKey } from '../domain/api-key.ts';
import { keys } from './keys.ts';
import { findData } from './read.ts';
import type { Table } from './table.ts';

export interface ApiKeyStore {
  find(hash: string): Promise<ApiKey | undefined>;
  save(key: ApiKey): Promise<void>;
}

export function apiKeyStore(table: Table): ApiKeyStore {
  return {
    find: (hash) => findData(table, keys.apiKey(hash), ApiKey),
    save: async (key) => {
      const item = { ...keys.apiKey(key.hash), entity: 'KEY', data: key };
      await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
    },
  };
}
