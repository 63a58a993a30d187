import { type Actor, type AuditEntry, type AuditedCommand, memberActor } from '../domain/access/audit.ts';
import type { Member } from '../domain/access/member.ts';
import type { CommandRecord } from '../domain/idempotency.ts';

export interface AuditDeps {
  newId: (prefix: 'aud') => string;
  now: () => Date;
}

/** The audit record of a command by an actor. Empty if the command is not audited. */
export const auditRecords = (deps: AuditDeps, by: Actor, command: AuditedCommand | null): CommandRecord[] =>
  command === null ? [] : [{ audit: entryOf(deps, by, command) }];

/** The audit record of a member's command. */
export const memberRecords =
  (deps: AuditDeps) =>
  (member: Pick<Member, 'id' | 'email'>, command: AuditedCommand): CommandRecord[] =>
    auditRecords(deps, memberActor(member), command);

const entryOf = ({ newId, now }: AuditDeps, by: Actor, command: AuditedCommand): AuditEntry => ({
  ...command,
  id: newId('aud'),
  at: now().toISOString(),
  by,
});
