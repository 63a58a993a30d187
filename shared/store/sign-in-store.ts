import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { CommandRecord } from '../domain/idempotency.ts';
import { SignIn } from '../domain/sign-in.ts';
import { recordWrite } from './audit-store.ts';
import { toUnavailable } from './errors.ts';
import { keys } from './keys.ts';
import { findData } from './read.ts';
import type { Table } from './table.ts';
import { commit } from './transaction.ts';

export interface SignInStore {
  find(keyHash: string, id: string): Promise<SignIn | undefined>;
  /** Those of a key, as many as one answer of the table holds; what has expired goes by itself. */
  list(keyHash: string): Promise<SignIn[]>;
  save(signIn: SignIn, records: readonly CommandRecord[]): Promise<void>;
}

export const signInStore = (table: Table): SignInStore => ({
  find: (keyHash, id) => findData(table, keys.signIn(keyHash, id), SignIn),
  list: async (keyHash) => {
    const query = new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.signIn(keyHash, '').pk },
      ConsistentRead: true,
    });
    const { Items = [] } = await table.client.send(query).catch((error) => Promise.reject(toUnavailable(error)));
    return Items.map(({ data }) => SignIn.parse(data));
  },
  save: (signIn, records) =>
    commit(table, [
      ...records.map(recordWrite),
      {
        put: {
          ...keys.signIn(signIn.keyHash, signIn.id),
          entity: 'SIGNIN',
          data: signIn,
          ttl: Math.floor(Date.parse(signIn.expiresAt) / 1_000),
        },
        refusal: () => new Error('A session is written without a condition.'),
      },
    ]),
});
