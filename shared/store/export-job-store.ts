import * as z from 'zod';
import { type CommandRecord, StaleVersion } from '../domain/idempotency.ts';
import { ExportJob } from '../domain/reports/export-job.ts';
import { recordWrite } from './access/audit-store.ts';
import { keys } from './keys.ts';
import { queryPrefix } from './table/query.ts';
import type { Table } from './table/table.ts';
import { commit, versionedWrite } from './table/transaction.ts';

export interface ExportJobStore {
  /** Lists the export jobs of the last day, newest first. */
  list(): Promise<ExportJob[]>;
  /**
   * Saves a new job, or the next state of one.
   * @throws StaleVersion if another worker was faster
   */
  save(job: ExportJob, records?: readonly CommandRecord[]): Promise<void>;
}

export const exportJobStore = (table: Table): ExportJobStore => ({
  list: async () => {
    const rows = await queryPrefix(table, keys.exportJob(''));
    return rows
      .map(({ data }) => ExportJob.parse(kindAsAsked(data)))
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  },
  save: (job, records = []) => {
    const ttl = Math.floor(Date.parse(job.expiresAt) / 1_000);
    const attributes = { ...keys.exportJob(job.id), entity: 'EXPORT', ttl };
    return commit(table, [
      ...records.map(recordWrite),
      versionedWrite(kindAsKnown(job), attributes, () => new StaleVersion()),
    ]);
  },
});

/** The kinds that version 0.2.0 does not know. For them, its worker makes a general return and labels it as such. */
const newKinds: readonly string[] = ['home', 'recap'];

/**
 * A row that version 0.2.0 can read too. It gets the kind `general`, and the real kind is in `asked`, which 0.2.0
 * ignores.
 */
const kindAsKnown = (job: ExportJob): ExportJob =>
  newKinds.includes(job.kind) ? Object.assign({ ...job, kind: 'general' as const }, { asked: job.kind }) : job;

const AskedJob = z.looseObject({ asked: z.string().optional() });

function kindAsAsked(data: unknown): unknown {
  const { asked, ...job } = AskedJob.parse(data);
  return asked === undefined ? job : { ...job, kind: asked };
}
