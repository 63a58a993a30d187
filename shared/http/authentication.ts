import { type Access, isPermitted } from '../domain/access.ts';
import type { ApiKey } from '../domain/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import type { Stage } from '../domain/merchant.ts';
import { hashApiKey, stageOfKey } from './api-key.ts';

export interface KeyReader {
  find(hash: string): Promise<ApiKey | undefined>;
}

const modes = { sandbox: 'test', live: 'live' } as const;

/** Finds out who calls: one consistent read, so that a revoked key is refused at once. */
export async function authenticate(
  authorization: string | undefined,
  access: Access,
  { keys, stage, now }: { keys: KeyReader; stage: Stage; now: Date },
): Promise<ApiKey> {
  const presented = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!presented) throw new DomainError('UNAUTHORIZED', 'Send your API key as "Authorization: Bearer sk_…".');
  assertMode(presented, stage);
  return assertAllowed(await keys.find(hashApiKey(presented)), access, now);
}

/** Refuses a key that nobody knows, that is closed or over, or that may not do so much. */
export function assertAllowed(key: ApiKey | undefined, access: Access, now: Date): ApiKey {
  if (!key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now.toISOString()))
    throw new DomainError('UNAUTHORIZED', 'This API key is unknown or has been revoked.');
  if (!isPermitted(key, access))
    throw new DomainError('FORBIDDEN', `This API key has ${key.access} access; use one with ${access} access.`);
  return key;
}

function assertMode(key: string, stage: Stage): void {
  const keyStage = stageOfKey(key);
  if (keyStage === undefined) throw new DomainError('UNAUTHORIZED', 'This is not a well-formed API key.');
  if (keyStage === stage) return;
  throw new DomainError(
    'WRONG_MODE',
    `This key is of ${modes[keyStage]} mode, but this stack runs in ${modes[stage]} mode: use a key that starts with sk_${modes[stage]}_.`,
  );
}
