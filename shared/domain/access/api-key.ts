import * as z from 'zod';
import { DomainError } from '../errors.ts';
import { accessLevels, RefundRight, usualRefunds } from './access.ts';

/** Who may call the API, known by the hash of the key only. A row of version 0.1 says nothing of refunds and of its maker. */
export const ApiKey = z
  .object({
    hash: z.string(),
    name: z.string(),
    /** The last four characters, to recognize it in a list. */
    lastFour: z.string(),
    access: z.enum(accessLevels),
    createdAt: z.string(),
    expiresAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
    refunds: RefundRight.nullable().optional(),
    /** The id of the key that made it; null: none did, or it is not known. */
    createdBy: z.string().nullable().default(null),
  })
  .transform(({ refunds, ...key }) => ({
    ...key,
    refunds: refunds === undefined ? usualRefunds(key.access) : refunds,
  }));
export type ApiKey = z.infer<typeof ApiKey>;

export type NewApiKey = Pick<ApiKey, 'name' | 'access' | 'refunds' | 'expiresAt'>;

/** What the API calls a key: the beginning of its hash, which tells nothing of the key. */
export const apiKeyIdOf = ({ hash }: Pick<ApiKey, 'hash'>): string => `key_${hash.slice(0, 21)}`;

/** Whether a key still opens anything. */
export const isInUse = ({ revokedAt, expiresAt }: ApiKey, now: string): boolean =>
  revokedAt === null && (expiresAt === null || now < expiresAt);

export function newApiKey(
  fields: NewApiKey,
  { now, ...origin }: Pick<ApiKey, 'hash' | 'lastFour' | 'createdBy'> & { now: string },
): ApiKey {
  if (fields.expiresAt === null || now < fields.expiresAt)
    return { ...fields, ...origin, createdAt: now, revokedAt: null };
  const message = 'The time when a key expires must be in the future.';
  throw new DomainError('INVALID_REQUEST_PARAMETERS', message, { faults: [{ path: 'expires_at', message }] });
}

/** Closes a key for good; one that is closed already stays as it was. */
export const revokedApiKey = (key: ApiKey, now: string): ApiKey =>
  key.revokedAt === null ? { ...key, revokedAt: now } : key;
