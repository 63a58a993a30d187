import { type Actor, type AuditEntry, type AuditedCommand, memberActor } from '../domain/access/audit.ts';
import type { Member } from '../domain/access/member.ts';
import type { CommandRecord } from '../domain/idempotency.ts';
import { newId, now } from '../wiring/runtime.ts';

/** The audit record of an actor's command; none for a command that is not audited. */
export const auditRecords = (by: Actor, command: AuditedCommand | null): CommandRecord[] =>
  command === null ? [] : [{ audit: entryOf(by, command) }];

/** The audit record of a member's command. */
export const memberRecords = (member: Pick<Member, 'id' | 'email'>, command: AuditedCommand): CommandRecord[] =>
  auditRecords(memberActor(member), command);

const entryOf = (by: Actor, command: AuditedCommand): AuditEntry => ({
  ...command,
  id: newId('aud'),
  at: now().toISOString(),
  by,
});
