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

/** How many ids a query may name. */
const mostIds = 100;

/** The other ids of the same sale in a line, and its request id. */
function idsIn(message: string): string[] {
  try {
    return Object.values(Related.parse(JSON.parse(message)));
  } catch {
    return [];
  }
}

/**
 * Every line that names an id. For a sale, also the lines of the session, payment, refunds, events and requests that
 * those lines name.
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
