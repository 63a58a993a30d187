import type { AuditEntry } from '../../domain/access/audit.ts';
import { DomainError } from '../../domain/errors.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import type { AuditStore } from '../../store/access/audit-store.ts';

/** The most entries that one file holds. */
const most = 10_000;
/** The list reads two rows more to see whether others follow, so a page is one query. */
const pageSize = 998;

/** Every entry of a period of UTC days, newest first. Refuses a period with more than one file can hold. */
export async function exportAuditLog(
  deps: { auditLog: AuditStore },
  { from, to }: { from: string; to: string },
): Promise<AuditEntry[]> {
  const period = { createdFrom: `${from}T00:00:00.000Z`, createdTo: `${to}T23:59:59.999Z` };
  const entries: AuditEntry[] = [];
  let after: string | undefined;
  let hasMore = true;
  while (hasMore) {
    const page = await deps.auditLog.list(period, { size: pageSize, skip: 0, after });
    entries.push(...page.items);
    if (entries.length > most) throw tooMany();
    [after, hasMore] = [page.last, page.hasMore];
  }
  return entries;
}

const tooMany = (): DomainError =>
  new DomainError('INVALID_QUERY_PARAMS', brokenRule(sentences.export_commands, { most }));
