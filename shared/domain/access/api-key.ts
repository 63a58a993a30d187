import * as z from 'zod';
import { refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { accessLevels, RefundRight } from './access.ts';

/** A key with which the API is called. Only its hash is stored. */
export const ApiKey = z.object({
  hash: z.string(),
  name: z.string(),
  /** The last four characters, to recognize it in a list. */
  lastFour: z.string(),
  access: z.enum(accessLevels),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  /** The right to refund; null if the key has none. */
  refunds: RefundRight.nullable(),
  /** The id of the key or member that created this one; null if there is none. */
  createdBy: z.string().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export type NewApiKey = Pick<ApiKey, 'name' | 'access' | 'refunds' | 'expiresAt'>;

/** The id of a key in the API: the beginning of its hash, which does not reveal the key. */
export const apiKeyIdOf = ({ hash }: Pick<ApiKey, 'hash'>): string => `key_${hash.slice(0, 21)}`;

/** Whether a key is neither revoked nor expired. */
export const isInUse = ({ revokedAt, expiresAt }: ApiKey, now: string): boolean =>
  revokedAt === null && (expiresAt === null || now < expiresAt);

export function newApiKey(
  fields: NewApiKey,
  { now, ...origin }: Pick<ApiKey, 'hash' | 'lastFour' | 'createdBy'> & { now: string },
): ApiKey {
  if (fields.expiresAt === null || now < fields.expiresAt)
    return { ...fields, ...origin, createdAt: now, revokedAt: null };
  throw refuse('INVALID_REQUEST_PARAMETERS', 'expires_at', brokenRule(sentences.key_in_past));
}

/**
 * When a new key expires: no later than the key that creates it, so temporary access cannot become permanent. If the
 * request names no end, the new key ends with its creator.
 */
export function endOfNewKey(expiresAtOfNew: string | null, { expiresAt }: Pick<ApiKey, 'expiresAt'>): string | null {
  if (expiresAt === null) return expiresAtOfNew;
  const end = expiresAtOfNew ?? expiresAt;
  if (end <= expiresAt) return end;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'expires_at', brokenRule(sentences.key_after_maker, { end: expiresAt }));
}

/** Revokes a key. For a key that is already revoked, the time of the revocation stays. */
export const revokedApiKey = (key: ApiKey, now: string): ApiKey =>
  key.revokedAt === null ? { ...key, revokedAt: now } : key;
