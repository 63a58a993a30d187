import * as z from 'zod';
import { DomainError, notFound } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { ApiKey, apiKeyIdOf, isInUse } from './api-key.ts';
import { isMemberId } from './member.ts';

/** The keys in a merchant's list: all that are in use, and the latest closed ones. */
export const ApiKeyList = z.object({
  keys: z.array(ApiKey),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type ApiKeyList = z.infer<typeof ApiKeyList>;

const most = 100;

export function findApiKey({ keys }: Pick<ApiKeyList, 'keys'>, id: string): ApiKey {
  const key = keys.find((candidate) => apiKeyIdOf(candidate) === id);
  if (key) return key;
  throw notFound('API key', id);
}

/**
 * Adds a key if its creator is still in use, or replaces the key with the same hash. Drops the oldest closed keys to
 * make room. All keys are written as one list, so a key that is being revoked cannot create another one.
 */
export function withApiKey(list: ApiKeyList, key: ApiKey, now: string): ApiKeyList {
  const others = list.keys.filter(({ hash }) => hash !== key.hash);
  if (others.length === list.keys.length) assertMakerInUse(list, key, now);
  const keys = [key, ...others].sort(byAge);
  const inUse = keys.filter((candidate) => isInUse(candidate, now));
  if (inUse.length > most)
    throw new DomainError('INVALID_REQUEST_PARAMETERS', brokenRule(sentences.keys_full, { most }));
  const closed = keys.filter((candidate) => !isInUse(candidate, now));
  return { ...list, keys: adopted([...inUse, ...closed.slice(0, most)], closed.slice(most)) };
}

/** Sorts keys, newest first. */
const byAge = (a: ApiKey, b: ApiKey): number => (a.createdAt < b.createdAt ? 1 : -1);

/**
 * Throws if the key that creates another one is no longer in use. For a member who creates a key, the list of members
 * checks this.
 */
function assertMakerInUse({ keys }: ApiKeyList, { createdBy }: ApiKey, now: string): void {
  if (createdBy === null || isMemberId(createdBy)) return;
  const maker = keys.find((candidate) => apiKeyIdOf(candidate) === createdBy);
  if (!maker || !isInUse(maker, now)) throw new DomainError('UNAUTHORIZED', 'This API key is revoked or has expired.');
}

/** The keys in use that a key has created, directly or through other keys. Closed keys in between still count. */
export function descendantsOf({ keys }: Pick<ApiKeyList, 'keys'>, id: string, now: string): ApiKey[] {
  const family = new Set([id]);
  for (let known = 0; known < family.size; ) {
    known = family.size;
    for (const key of keys) if (key.createdBy !== null && family.has(key.createdBy)) family.add(apiKeyIdOf(key));
  }
  return keys.filter((key) => apiKeyIdOf(key) !== id && family.has(apiKeyIdOf(key)) && isInUse(key, now));
}

/**
 * Replaces a creator that was dropped from the list by the nearest ancestor that is still listed. So the list still
 * shows from which key each key descends.
 */
function adopted(kept: readonly ApiKey[], dropped: readonly ApiKey[]): ApiKey[] {
  if (dropped.length === 0) return [...kept];
  const makers = new Map(dropped.map((key) => [apiKeyIdOf(key), key.createdBy]));
  return kept.map((key) => ({ ...key, createdBy: nearest(key.createdBy, makers) }));
}

function nearest(maker: string | null, dropped: ReadonlyMap<string, string | null>): string | null {
  let found = maker;
  while (found !== null && dropped.has(found)) found = dropped.get(found) ?? null;
  return found;
}
