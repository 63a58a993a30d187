import { randomInt } from 'node:crypto';
import { apiKeyIdOf, type NewApiKey, newApiKey } from '../../shared/domain/access/api-key.ts';
import type { AuditedCommand } from '../../shared/domain/access/audit.ts';
import { base62 } from '../../shared/domain/base62.ts';
import type { CommandRecord } from '../../shared/domain/idempotency.ts';
import type { Stage } from '../../shared/domain/merchant.ts';
import { formatApiKey, hashApiKey } from '../../shared/http/api-key.ts';
import type { ApiKeyStore } from '../../shared/store/access/api-key-store.ts';
import { keyMade } from '../../shared/use-cases/access/create-api-key.ts';

export const randomLetters = (length: number): string =>
  Array.from({ length }, () => base62[randomInt(base62.length)]).join('');

/** Makes the entry in the audit log for a command of an operator. */
export const recordedBy =
  (keyName: string) =>
  (command: AuditedCommand | null): CommandRecord[] => {
    const by = { keyId: null, memberId: null, keyName, via: 'command_line' as const };
    return command ? [{ audit: { ...command, id: `aud_${randomLetters(21)}`, at: new Date().toISOString(), by } }] : [];
  };

interface KeyToMake {
  stage: Stage;
  fields: NewApiKey;
  recorded: ReturnType<typeof recordedBy>;
}

/** Creates a key in the table of a stack. The key itself is returned only here, and not stored. */
export async function makeKey(keys: Pick<ApiKeyStore, 'save'>, { stage, fields, recorded }: KeyToMake) {
  const key = formatApiKey(stage, randomLetters(32));
  const origin = { hash: hashApiKey(key), lastFour: key.slice(-4), createdBy: null, now: new Date().toISOString() };
  const made = newApiKey(fields, origin);
  await keys.save(made, recorded(keyMade(made)));
  return { key, id: apiKeyIdOf(made) };
}
