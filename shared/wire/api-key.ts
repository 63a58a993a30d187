import * as z from 'zod';
import { type ApiKey, apiKeyIdOf, type NewApiKey } from '../domain/api-key.ts';
import { text } from './values.ts';

/** What `POST /api-keys` takes; a key that nobody says more of may only read. */
export const ApiKeyInput = z
  .strictObject({
    name: text(1, 100),
    access: z.enum(['read', 'write'], 'must be read or write').default('read'),
    expires_at: z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' }).nullish(),
  })
  .transform(
    ({ name, access, expires_at }): NewApiKey => ({
      name,
      access,
      expiresAt: expires_at ? new Date(expires_at).toISOString() : null,
    }),
  );

export const presentApiKey = (key: ApiKey) => ({
  id: apiKeyIdOf(key),
  name: key.name,
  access: key.access,
  last_four: key.lastFour,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
});

/** The only answer that ever holds a key. */
export const presentNewApiKey = ({ apiKey, plain }: { apiKey: ApiKey; plain: string }) => ({
  ...presentApiKey(apiKey),
  key: plain,
});
