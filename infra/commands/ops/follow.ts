import * as z from 'zod';
import { followQuery } from '../../../shared/domain/log-queries.ts';
import { idPrefixes, namedIds } from '../../../shared/log.ts';
import { UsageError } from '../../usage-error.ts';
import type { OpsContext, OpsReport } from './context.ts';
import { findLogs, queryLines, reportLines } from './log-lines.ts';

const accepted = idPrefixes.map((prefix) => `${prefix}_…`).join(', ');

function followed(id: string | undefined): string {
  if (id === undefined) throw new UsageError(`Name what to follow: ${accepted}.`);
  if (Object.keys(namedIds([id])).length > 0) return id;
  throw new UsageError(`${id} cannot be followed. What can: ${accepted}.`);
}

/**
 * Ids that belong to one sale. Ids of endpoints, keys, products or customers are left out, because they would lead to
 * all other sales.
 */
const ofOneSale = /^(cks|dsp|evt|pay|ref)_/;

const id = z.string().regex(/^[\w=-]+$/);
const Related = z
  .object({ session_id: id, payment_id: id, refund_id: id, dispute_id: id, event_id: id, request_id: id })
  .partial();

/** The most ids in one query. */
const mostIds = 100;

/** The ids in a log line: those of the same sale, and the id of the request. */
function idsIn(message: string): string[] {
  try {
    return Object.values(Related.parse(JSON.parse(message)));
  } catch {
    return [];
  }
}

/**
 * Finds every log line with an id. If the id belongs to a sale, it also finds the lines of its session, payment,
 * refunds, events and requests.
 */
export async function followId(context: OpsContext): Promise<OpsReport> {
  const { since = '7d' } = context.options;
  const wanted = followed(context.options.id);
  const logs = await findLogs(context);
  const ask = (ids: readonly string[]) => queryLines(context, logs, { query: followQuery(ids), since });
  const lines = await ask([wanted]);
  const related = ofOneSale.test(wanted) ? lines.flatMap(({ message }) => idsIn(message)) : [];
  const ids = [...new Set([wanted, ...related])].slice(0, mostIds);
  return reportLines(ids.length > 1 ? await ask(ids) : lines, `No line names ${wanted} since ${since}.`);
}
