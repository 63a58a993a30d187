import { SignIn } from '../../domain/access/sign-in.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import { keys } from '../keys.ts';
import { queryRows } from '../table/query.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';
import { recordWrite } from './audit-store.ts';

export interface SignInStore {
  find(holder: string, id: string): Promise<SignIn | undefined>;
  /**
   * The sessions of a key or member, as many as fit into one response of the table. Expired ones are removed
   * automatically.
   */
  list(holder: string): Promise<SignIn[]>;
  save(signIn: SignIn, records: readonly CommandRecord[]): Promise<void>;
}

export const signInStore = (table: Table): SignInStore => ({
  find: (holder, id) => findData(table, keys.signIn(holder, id), SignIn),
  list: async (holder) => {
    const rows = await queryRows(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.signIn(holder, '').pk },
      ConsistentRead: true,
    });
    return rows.map(({ data }) => SignIn.parse(data));
  },
  save: (signIn, records) => commit(table, [...records.map(recordWrite), signInWrite(signIn)]),
});

export const signInWrite = (signIn: SignIn): Write => ({
  put: {
    ...keys.signIn(signIn.holder, signIn.id),
    entity: 'SIGNIN',
    data: signIn,
    ttl: Math.floor(Date.parse(signIn.expiresAt) / 1_000),
  },
  refusal: () => new Error('A session is written without a condition.'),
});
