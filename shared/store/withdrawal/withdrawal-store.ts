import * as z from 'zod';
import { notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { Declaration } from '../../domain/withdrawal/declaration.ts';
import { type Withdrawal, WithdrawalCase } from '../../domain/withdrawal/withdrawal-case.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import { recordWrite } from '../access/audit-store.ts';
import { eventWrite } from '../events/event-store.ts';
import { keys, type RowKey, timeKey, withdrawalsDuePartition } from '../keys.ts';
import { listPage } from '../table/list.ts';
import { queryPartition } from '../table/query.ts';
import { findData } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { RowPut, Write } from '../table/write.ts';

/** The next state of a case, and everything that is written in the same transaction. */
export interface CaseCommit {
  current: WithdrawalCase;
  /** When the sweep must look at the case; null if nothing is due. */
  dueAt: string | null;
  events?: readonly DomainEvent[];
  records?: readonly CommandRecord[];
}

interface CaseFilter {
  createdFrom?: string;
  createdTo?: string;
  matches?: (current: WithdrawalCase) => boolean;
  /** Filters the matching cases further by other rows. */
  keeps?: (cases: readonly WithdrawalCase[]) => Promise<readonly WithdrawalCase[]>;
}

export interface WithdrawalStore {
  find(id: string): Promise<Withdrawal | undefined>;
  get(id: string): Promise<Withdrawal>;
  /**
   * Stores a declaration with its case.
   * @param customerId the customer whose address was typed; absent if the address is that of an order
   * @throws StaleVersion if this declaration is already stored
   */
  declare(declaration: Declaration, change: CaseCommit, customerId?: string): Promise<void>;
  /** Saves the case of a stored declaration. */
  save(change: CaseCommit): Promise<void>;
  list(page: ItemPageRequest, filter?: CaseFilter): Promise<ItemPage<WithdrawalCase>>;
  /** The cases of an order, oldest first. */
  ofPayment(paymentId: string): Promise<WithdrawalCase[]>;
  /** The cases of the newest declarations that were typed with the address of a customer, oldest first. */
  typedBy(customerId: string): Promise<WithdrawalCase[]>;
  /** Reads declarations in one call. */
  declarations(ids: readonly string[]): Promise<Map<string, Declaration>>;
}

const entity = 'WITHDRAWAL';
/** The most withdrawals of one order that are read. */
const mostOfPayment = 50;
/** The most declarations of one address that are read. */
const mostTyped = 100;

/** The partition of the declarations that were typed with the address of a customer. */
const typedBy = (customerId: string): string => `WITHDRAWAL#BY#${customerId}`;

/** The row of a declaration. Only an erasure writes it again. */
export const declarationWrite = (declaration: Declaration): RowPut => ({
  put: { ...keys.declaration(declaration.id), entity, data: declaration },
  refusal: () => new StaleVersion(),
});

/** The writes for a case. The caller writes its events and records. */
export function caseWrites({ current, dueAt }: CaseCommit): Write[] {
  const { id, createdAt, paymentId } = current;
  const due = dueAt === null ? {} : { duePk: withdrawalsDuePartition, dueSk: timeKey(dueAt, id) };
  const listed = { row: current, listPk: entity, listSk: timeKey(createdAt, id) };
  const row = versionedWrite(
    current,
    { ...keys.withdrawalCase(id), entity, ...listed, ...due },
    () => new StaleVersion(),
  );
  if (paymentId === null) return [row];
  const ofPayment = { put: { ...keys.withdrawalOf(paymentId, id), entity, id }, refusal: () => new StaleVersion() };
  return [row, ofPayment];
}

/**
 * The store of withdrawals.
 * @param freeze makes the bytes of an event's payload, only once, when the change is committed
 */
export function withdrawalStore(table: Table, freeze: (event: DomainEvent) => string): WithdrawalStore {
  const find = async (id: string): Promise<Withdrawal | undefined> => {
    const [declaration, current] = await Promise.all([
      findData(table, keys.declaration(id), Declaration),
      findData(table, keys.withdrawalCase(id), WithdrawalCase),
    ]);
    return declaration && current ? { declaration, current } : undefined;
  };
  const save = (change: CaseCommit, more: readonly Write[] = []) => {
    const { events = [], records = [] } = change;
    return commit(table, [
      ...records.map(recordWrite),
      ...more,
      ...caseWrites(change),
      ...events.map((event) => eventWrite(event, freeze(event))),
    ]);
  };
  return {
    find,
    get: async (id) => {
      const withdrawal = await find(id);
      if (!withdrawal) throw notFound('withdrawal', id);
      return withdrawal;
    },
    declare: (declaration, change, customerId) => {
      const { put, refusal } = declarationWrite(declaration);
      const typed = customerId && {
        row: { id: declaration.id },
        customerPk: typedBy(customerId),
        customerSk: timeKey(declaration.receivedAt, declaration.id),
      };
      return save(change, [{ put: { ...put, ...typed }, refusal, condition: ifAbsent }]);
    },
    save,
    list: (page, filter = {}) =>
      listPage(table, { index: 'list', partition: entity, page, row: WithdrawalCase, ...filter }),
    ofPayment: (paymentId) => casesOf(table, paymentId),
    typedBy: (customerId) => casesTypedBy(table, customerId),
    declarations: async (ids) => {
      const found = await readMany(table, ids.map(keys.declaration), Declaration);
      return new Map(found.map((declaration) => [declaration.id, declaration]));
    },
  };
}

async function casesOf(table: Table, paymentId: string): Promise<WithdrawalCase[]> {
  const rows = await queryPartition(table, keys.withdrawalOf(paymentId, '').pk);
  return casesNamed(table, rows.slice(0, mostOfPayment));
}

async function casesTypedBy(table: Table, customerId: string): Promise<WithdrawalCase[]> {
  const page = { size: mostTyped, skip: 0, after: undefined };
  const row = z.object({ id: z.string() });
  return casesNamed(
    table,
    (await listPage(table, { index: 'customer', partition: typedBy(customerId), page, row })).items,
  );
}

/** The cases that rows name, oldest first. */
async function casesNamed(table: Table, rows: readonly { id?: unknown }[]): Promise<WithdrawalCase[]> {
  const ids = rows.map(({ id }) => String(id));
  const cases = await readMany(table, ids.map(keys.withdrawalCase), WithdrawalCase);
  return cases.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

/** Reads rows in one call, and leaves out the missing ones. */
async function readMany<Row>(table: Table, rows: RowKey[], row: { parse: (data: unknown) => Row }): Promise<Row[]> {
  if (rows.length === 0) return [];
  const item = await findItems(table, rows);
  return rows.flatMap((key) => {
    const found = item(key);
    return found ? [row.parse(found['data'])] : [];
  });
}
