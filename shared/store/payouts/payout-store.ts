import * as z from 'zod';
import { notFound } from '../../domain/errors.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { Payout, PayoutAccess, PayoutOfPayment, PayoutRow } from '../../domain/payouts/payout.ts';
import { PayoutLine } from '../../domain/payouts/payout-line.ts';
import { keys, timeKey } from '../keys.ts';
import { listPage } from '../table/list.ts';
import { dataIn, pack, packBoth } from '../table/packed.ts';
import { queryBetween } from '../table/query.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { RowPut } from '../table/write.ts';

interface PayoutFilter {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
}

export interface PayoutStore {
  find(id: string): Promise<Payout | undefined>;
  get(id: string): Promise<Payout>;
  list(filter: PayoutFilter, page: ItemPageRequest): Promise<ItemPage<PayoutRow>>;
  /** Saves a payout without more lines. @throws StaleVersion if another writer was faster */
  save(payout: Payout): Promise<void>;
  /**
   * Saves the next part of a payout's lines, and where the payments in it are found. A repetition after a crash writes
   * the same rows. @throws StaleVersion if another reader was faster
   */
  savePart(payout: Payout, lines: readonly PayoutLine[]): Promise<void>;
  /** The lines of some parts, both included, in the processor's order: newest first. */
  lines(id: string, parts: { from: number; to: number }): Promise<PayoutLine[]>;
  /** The payout with the money of a payment; undefined if none is known to have it. */
  ofPayment(paymentId: string): Promise<Payout | undefined>;
  findAccess(): Promise<PayoutAccess | undefined>;
  saveAccess(access: PayoutAccess): Promise<void>;
}

const entity = 'PAYOUT';

const Lines = z.array(PayoutLine);

/** How many rows are written at the same time. */
const together = 25;

export function payoutStore(table: Table): PayoutStore {
  const find = (id: string) => findData(table, keys.payout(id), Payout);
  return {
    find,
    get: async (id) => {
      const payout = await find(id);
      if (!payout) throw notFound('payout', id);
      return payout;
    },
    list: (filter, page) => listPage(table, { index: 'list', partition: entity, ...filter, page, row: PayoutRow }),
    save: (payout) => commit(table, [payoutWrite(payout)]),
    savePart: async (payout, lines) => {
      await savePlaces(table, payout, lines);
      const part = { ...keys.payoutLines(payout.id, payout.read.parts), entity, data: pack(lines) };
      await commit(table, [payoutWrite(payout), unconditional(part)]);
    },
    lines: async (id, { from, to }) => {
      const rows = await queryBetween(table, keys.payoutLines(id, from), keys.payoutLines(id, to));
      return rows.flatMap((row) => Lines.parse(dataIn(row)));
    },
    ofPayment: async (paymentId) => {
      const place = await findData(table, keys.payoutOf(paymentId), PayoutOfPayment);
      return place && find(place.payoutId);
    },
    findAccess: () => findData(table, keys.payoutAccess(), PayoutAccess),
    saveAccess: (access) => commit(table, [unconditional({ ...keys.payoutAccess(), entity, data: access })]),
  };
}

/** Writes where the payments of a part are found, one row each, before the part counts as read. */
async function savePlaces(table: Table, { id }: Payout, lines: readonly PayoutLine[]): Promise<void> {
  const sold = lines.flatMap(({ kind, paymentId }) => (kind === 'sale' && paymentId !== null ? [paymentId] : []));
  for (let from = 0; from < sold.length; from += together) {
    const rows = sold.slice(from, from + together).map((paymentId) => {
      const data: PayoutOfPayment = { payoutId: id };
      return commit(table, [unconditional({ ...keys.payoutOf(paymentId), entity, data })]);
    });
    await Promise.all(rows);
  }
}

/** A row that every writer would write alike, so a repetition may replace it. */
const unconditional = (put: RowPut['put']): RowPut => ({
  put,
  refusal: () => new Error('This row of a payout is written without a condition.'),
});

function payoutWrite(payout: Payout): RowPut {
  const attributes = {
    ...keys.payout(payout.id),
    entity,
    listPk: entity,
    listSk: timeKey(payout.createdAt, payout.id),
  };
  const write = versionedWrite(payout, attributes, () => new StaleVersion());
  return { ...write, put: { ...write.put, ...packBoth({ data: write.put['data'], row: PayoutRow.parse(payout) }) } };
}
