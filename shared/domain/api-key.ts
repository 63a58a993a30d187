import * as z from 'zod';
import { accessLevels } from './access.ts';
import { DomainError } from './errors.ts';

/** Who may call the API, known by the hash of the key only. */
export const ApiKey = z.object({
  hash: z.string(),
  name: z.string(),
  /** The last four characters, to recognize it in a list. */
  lastFour: z.string(),
  access: z.enum(accessLevels),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export type NewApiKey = Pick<ApiKey, 'name' | 'access' | 'expiresAt'>;

/** What is to be seen of a merchant's keys: those in use, and the latest of the others. */
export const ApiKeyList = z.object({
  keys: z.array(ApiKey),
  /** Counts the writes; 0 while there are none. */
  version: z.int(),
});
export type ApiKeyList = z.infer<typeof ApiKeyList>;

const most = 100;

/** What the API calls a key: the beginning of its hash, which tells nothing of the key. */
export const apiKeyIdOf = ({ hash }: Pick<ApiKey, 'hash'>): string => `key_${hash.slice(0, 21)}`;

/** Whether a key still opens anything. */
export const isInUse = ({ revokedAt, expiresAt }: ApiKey, now: string): boolean =>
  revokedAt === null && (expiresAt === null || now < expiresAt);

export function createApiKey(
  { name, access, expiresAt }: NewApiKey,
  { hash, lastFour, now }: { hash: string; lastFour: string; now: string },
): ApiKey {
  if (expiresAt === null || now < expiresAt)
    return { hash, name, lastFour, access, createdAt: now, expiresAt, revokedAt: null };
  const message = 'A key that expires does so in the future.';
  throw new DomainError('INVALID_REQUEST_PARAMETERS', message, { faults: [{ path: 'expires_at', message }] });
}

/** Closes a key for good; one that is closed already stays as it was. */
export const revokeApiKey = (key: ApiKey, now: string): ApiKey =>
  key.revokedAt === null ? { ...key, revokedAt: now } : key;

export function findApiKey({ keys }: ApiKeyList, id: string): ApiKey {
  const key = keys.find((candidate) => apiKeyIdOf(candidate) === id);
  if (key) return key;
  throw new DomainError('NOT_FOUND', `There is no API key ${id}.`);
}

/** Adds a key, or replaces the one of its hash; the oldest that nobody can use any more make room. */
export function withApiKey(list: ApiKeyList, key: ApiKey, now: string): ApiKeyList {
  const keys = [key, ...list.keys.filter(({ hash }) => hash !== key.hash)];
  const inUse = keys.filter((candidate) => isInUse(candidate, now));
  if (inUse.length > most)
    throw new DomainError('INVALID_REQUEST_PARAMETERS', `At most ${most} API keys are possible: revoke one first.`);
  const others = keys.filter((candidate) => !isInUse(candidate, now)).sort(byAge);
  return { ...list, keys: [...inUse.sort(byAge), ...others.slice(0, most)] };
}

/** The newest first. */
const byAge = (a: ApiKey, b: ApiKey): number => (a.createdAt < b.createdAt ? 1 : -1);
