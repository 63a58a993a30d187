import type { Actor, AuditEntry, AuditedCommand } from '../domain/access/audit.ts';
import type { CommandRecord } from '../domain/idempotency.ts';
import { newId, now } from '../runtime.ts';

/** The audit record of an actor's command; none for a command that is not audited. */
export const auditRecords = (by: Actor, command: AuditedCommand | null): CommandRecord[] =>
  command === null ? [] : [{ audit: entryOf(by, command) }];

const entryOf = (by: Actor, command: AuditedCommand): AuditEntry => ({
  ...command,
  id: newId('aud'),
  at: now().toISOString(),
  by,
});
