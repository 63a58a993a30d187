import { assertPermitted, type NeededAccess } from '../domain/access/access.ts';
import type { ApiKey } from '../domain/access/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import type { Stage } from '../domain/merchant.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { brokenRule } from '../domain/rules/rules.ts';
import { hashApiKey, stageOfKey } from './api-key.ts';

export interface KeyReader {
  find(hash: string): Promise<ApiKey | undefined>;
}

const modes = { sandbox: 'test', live: 'live' } as const;

/** Finds the caller's key with one consistent read, so a revoked key is refused at once. */
export async function authenticate(
  authorization: string | undefined,
  needed: NeededAccess,
  { keys, stage, now }: { keys: KeyReader; stage: Stage; now: Date },
): Promise<ApiKey> {
  return assertAllowed(await keys.find(presentedKeyHash(authorization, stage)), needed, now);
}

/** The hash of the key in a request. Refuses a text that cannot be a key of this stage. */
export function presentedKeyHash(authorization: string | undefined, stage: Stage): string {
  const presented = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!presented) throw new DomainError('UNAUTHORIZED', brokenRule(sentences.key_missing));
  assertMode(presented, stage);
  return hashApiKey(presented);
}

/** Refuses a key that is unknown, revoked, expired or lacks the needed access. */
export function assertAllowed(key: ApiKey | undefined, needed: NeededAccess, now: Date): ApiKey {
  if (!key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now.toISOString()))
    throw new DomainError('UNAUTHORIZED', brokenRule(sentences.key_unknown));
  assertPermitted(key, needed);
  return key;
}

function assertMode(key: string, stage: Stage): void {
  const keyStage = stageOfKey(key);
  if (keyStage === undefined) throw new DomainError('UNAUTHORIZED', brokenRule(sentences.key_malformed));
  if (keyStage === stage) return;
  throw new DomainError('WRONG_MODE', brokenRule(sentences.key_mode, { key: modes[keyStage], stack: modes[stage] }));
}
