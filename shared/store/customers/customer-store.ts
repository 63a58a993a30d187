import { createHash } from 'node:crypto';
import * as z from 'zod';
import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { CustomerRecord } from '../../domain/customers/customer-record.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys, timeKey } from '../keys.ts';
import { listPage } from '../table/list.ts';
import { queryRows } from '../table/query.ts';
import { findData } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { tableSchema } from '../table/table-schema.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

/** The fields of a customer's row that lists are searched by. */
export const CustomerRow = CustomerRecord.pick({ id: true, email: true, name: true, createdAt: true });
export type CustomerRow = z.infer<typeof CustomerRow>;

interface CustomerFilter {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  matches?: ((row: CustomerRow) => boolean) | undefined;
}

/** The id and the time of a payment. */
interface Purchase {
  paymentId: string;
  at: string;
}

export interface CustomerStore {
  find(id: string): Promise<CustomerRecord | undefined>;
  /** Reads the rows of several customers. A customer without a row is left out. */
  findMany(ids: readonly string[]): Promise<Map<string, CustomerRecord>>;
  save(record: CustomerRecord, records: readonly CommandRecord[]): Promise<void>;
  /** Lists the customer rows that the merchant has made, newest first. */
  list(filter: CustomerFilter, page: ItemPageRequest): Promise<ItemPage<CustomerRow>>;
  /**
   * The customers of a normalized address: those to whom the merchant has given it, and those with an order that was
   * corrected to it. A row of 0.2.0 is found only after its next change.
   */
  idsByEmail(email: string): Promise<string[]>;
  /** The first payment of a customer; undefined if there is none. */
  firstPurchase(id: string): Promise<Purchase | undefined>;
  /** The customers whose data is being erased, oldest request first. */
  listErasing(most: number): Promise<string[]>;
}

/** The partition of an e-mail address. It lists the customers whose orders may belong to the address. */
export const byEmail = (normalized: string): string =>
  `CUSTOMER#EMAIL#${createHash('sha256').update(normalized).digest('base64url')}`;

/** The partition of erasures that are due. It is separate, so that due payments and events do not wait for them. */
const erasurePartition = 'DUE#ERASURE';

/** Writes a customer's row, if it still has the version that was read. */
export const customerWrite = (record: CustomerRecord): Write =>
  versionedWrite(
    record,
    {
      ...keys.customer(record.id),
      entity: 'CUSTOMER',
      row: CustomerRow.parse(record),
      listPk: 'CUSTOMER',
      listSk: timeKey(record.createdAt, record.id),
      ...(record.email === null
        ? {}
        : { customerPk: byEmail(normalizeEmail(record.email)), customerSk: timeKey(record.createdAt, record.id) }),
      ...(record.erasure?.endedAt === null
        ? { duePk: erasurePartition, dueSk: timeKey(record.erasure.requestedAt, record.id) }
        : {}),
    },
    () => new StaleVersion(),
  );

export function customerStore(table: Table): CustomerStore {
  return {
    find: (id) => findData(table, keys.customer(id), CustomerRecord),
    findMany: async (ids) => {
      const item = await findItems(table, ids.map(keys.customer));
      const records = ids.flatMap((id) => {
        const found = item(keys.customer(id));
        return found ? [CustomerRecord.parse(found['data'])] : [];
      });
      return new Map(records.map((record) => [record.id, record]));
    },
    save: (record, records) => commit(table, [...records.map(recordWrite), customerWrite(record)]),
    list: (filter, page) =>
      listPage(table, { index: 'list', partition: 'CUSTOMER', ...filter, page, row: CustomerRow }),
    idsByEmail: (email) => findByEmail(table, email),
    firstPurchase: (id) => findFirst(table, id),
    listErasing: (most) => findErasing(table, most),
  };
}

const { customer, due } = tableSchema.indexes;

async function findFirst(table: Table, id: string): Promise<Purchase | undefined> {
  const [first] = await queryRows(table, {
    IndexName: 'customer',
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { '#partition': customer.partitionKey },
    ExpressionAttributeValues: { ':partition': keys.customer(id).pk },
    Limit: 1,
  });
  if (!first) return undefined;
  const [at = '', paymentId = ''] = String(first[customer.sortKey]).split('#');
  return { at, paymentId };
}

/** The most customers with one address. */
const mostOfEmail = 100;

async function findByEmail(table: Table, email: string): Promise<string[]> {
  const page = { size: mostOfEmail, skip: 0, after: undefined };
  const { items } = await listPage(table, { index: 'customer', partition: byEmail(email), page, row: CustomerRow });
  return items.map(({ id }) => id);
}

const DueCustomer = z.object({ pk: z.string() });

async function findErasing(table: Table, most: number): Promise<string[]> {
  const rows = await queryRows(table, {
    IndexName: 'due',
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { '#partition': due.partitionKey },
    ExpressionAttributeValues: { ':partition': erasurePartition },
    Limit: most,
  });
  return rows.map((row) => DueCustomer.parse(row).pk.slice('CUSTOMER#'.length));
}
