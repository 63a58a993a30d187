import * as z from 'zod';
import type { AuditEntry } from '../../domain/access/audit.ts';
import { createdFields, onePaging, pageFields } from '../page.ts';
import type { SettingAnswer } from './access-answer.ts';

/** The query of `GET /audit-log`. */
export const AuditLogQuery = onePaging(z.strictObject({ ...pageFields, ...createdFields }));

export const presentAuditEntry = ({
  id,
  at,
  command,
  subject,
  details,
  by,
}: AuditEntry): SettingAnswer<'AuditLogEntry'> => ({
  id,
  created_at: at,
  command,
  subject_id: subject,
  details,
  by: { key_id: by.keyId, member_id: by.memberId, key_name: by.keyName, via: by.via },
});
