import { type CommandRecord, StaleVersion } from '../domain/idempotency.ts';
import { FiledMovements, FiledReturn } from '../domain/reports/returns/filed-return.ts';
import { recordWrite } from './access/audit-store.ts';
import { keys } from './keys.ts';
import { dataIn, pack } from './table/packed.ts';
import { queryPartition } from './table/query.ts';
import { findData } from './table/read.ts';
import type { Table } from './table/table.ts';
import { commit, versionedWrite } from './table/transaction.ts';
import type { RowPut } from './table/write.ts';

export interface FiledReturnStore {
  /** All filed returns, the newest period first. */
  list(): Promise<FiledReturn[]>;
  /** The movements of a filed return, in portions. */
  movementsOf(filed: FiledReturn): AsyncGenerator<FiledMovements>;
  /**
   * Stores a filed return for ever, after its movements.
   * @throws StaleVersion if another request has filed the period
   */
  save(filed: FiledReturn, parts: readonly FiledMovements[], records: readonly CommandRecord[]): Promise<void>;
}

export const filedReturnStore = (table: Table): FiledReturnStore => ({
  list: async () => {
    const rows = await queryPartition(table, keys.filedReturn('', '').pk);
    return rows.map((row) => FiledReturn.parse(dataIn(row))).sort((a, b) => (a.from < b.from ? 1 : -1));
  },
  movementsOf: async function* ({ kind, from, parts }) {
    for (let part = 0; part < parts; part += 1) {
      const found = await findData(table, keys.filedMovements(kind, from, part), FiledMovements);
      if (!found) throw new Error(`The filed return ${kind} of ${from} lacks its movements.`);
      yield found;
    }
  },
  save: async (filed, parts, records) => {
    const { kind, from } = filed;
    for (const [part, movements] of parts.entries())
      await commit(table, [partWrite(keys.filedMovements(kind, from, part), movements)]);
    const attributes = { ...keys.filedReturn(kind, from), entity: 'FILED' };
    const write = versionedWrite(filed, attributes, () => new StaleVersion());
    const packed = { ...write, put: { ...write.put, data: pack(write.put['data']) } };
    await commit(table, [...records.map(recordWrite), packed]);
  },
});

/**
 * The write of movements. They have no effect before the return itself is stored, so a repeated call may replace them.
 */
const partWrite = (key: { pk: string; sk: string }, movements: FiledMovements): RowPut => ({
  put: { ...key, entity: 'FILED', data: pack(movements) },
  refusal: () => new Error('The movements of a return are written without a condition.'),
});
