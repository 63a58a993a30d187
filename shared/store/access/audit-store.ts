import { AuditEntry } from '../../domain/access/audit.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { idempotencyWrite } from '../idempotency-store.ts';
import { keys, timeKey } from '../keys.ts';
import { listPage } from '../table/list.ts';
import type { Table } from '../table/table.ts';
import type { Write } from '../table/write.ts';

interface Period {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
}

export interface AuditStore {
  /** Lists the audit entries of a period, newest first. */
  list(period: Period, page: ItemPageRequest): Promise<ItemPage<AuditEntry>>;
}

export const auditStore = (table: Table): AuditStore => ({
  list: (period, page) => listPage(table, { index: 'list', partition: 'AUDIT', ...period, page, row: AuditEntry }),
});

/** The write of an audit entry. It has only a row in the list, because entries are found by their time. */
const auditWrite = (entry: AuditEntry): Write => ({
  put: {
    ...keys.auditEntry(entry.id),
    entity: 'AUDIT',
    row: entry,
    listPk: 'AUDIT',
    listSk: timeKey(entry.at, entry.id),
  },
  refusal: () => new Error('An audit entry has no condition that could fail.'),
});

/** The write of a record that belongs to a command's change: the stored response, or an audit entry. */
export const recordWrite = (record: CommandRecord): Write =>
  'audit' in record ? auditWrite(record.audit) : idempotencyWrite(record);
