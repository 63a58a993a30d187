import { SignIn } from '../../domain/access/sign-in.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import { keys } from '../keys.ts';
import { queryRows } from '../table/query.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import { recordWrite } from './audit-store.ts';

export interface SignInStore {
  find(keyHash: string, id: string): Promise<SignIn | undefined>;
  /** The sessions of a key, as many as one response of the table holds. Expired ones are removed automatically. */
  list(keyHash: string): Promise<SignIn[]>;
  save(signIn: SignIn, records: readonly CommandRecord[]): Promise<void>;
}

export const signInStore = (table: Table): SignInStore => ({
  find: (keyHash, id) => findData(table, keys.signIn(keyHash, id), SignIn),
  list: async (keyHash) => {
    const rows = await queryRows(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.signIn(keyHash, '').pk },
      ConsistentRead: true,
    });
    return rows.map(({ data }) => SignIn.parse(data));
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
