import { type ApiKey, createApiKey as create, type NewApiKey } from '../domain/api-key.ts';
import type { Claim } from '../domain/idempotency.ts';
import type { ApiKeyStore } from '../store/api-key-store.ts';
import { retryStale } from './retry.ts';

export interface CreateApiKeyDeps {
  apiKeys: Pick<ApiKeyStore, 'save'>;
  /** A key of this stage that nobody has. */
  newKey: () => string;
  hashOf: (key: string) => string;
  now: () => Date;
}

/** A key, and what can be read of it for the only time. */
export interface CreatedApiKey {
  apiKey: ApiKey;
  plain: string;
}

/** Creates a key; its hash is kept, the key itself is not. */
export function createApiKey(
  deps: CreateApiKeyDeps,
  fields: NewApiKey,
  claim: Claim<CreatedApiKey>,
): Promise<CreatedApiKey> {
  const plain = deps.newKey();
  const origin = { hash: deps.hashOf(plain), lastFour: plain.slice(-4), now: deps.now().toISOString() };
  const created = { apiKey: create(fields, origin), plain };
  return retryStale(async () => {
    await deps.apiKeys.save(created.apiKey, claim(created));
    return created;
  });
}
