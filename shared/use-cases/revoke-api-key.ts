import { type ApiKey, findApiKey, revokeApiKey as revoke } from '../domain/api-key.ts';
import type { Claim } from '../domain/idempotency.ts';
import type { ApiKeyStore } from '../store/api-key-store.ts';
import { retryStale } from './retry.ts';

export interface RevokeApiKeyDeps {
  apiKeys: Pick<ApiKeyStore, 'list' | 'save'>;
  now: () => Date;
}

/** Closes a key: the next call with it is refused, because every call reads its row. */
export function revokeApiKey(deps: RevokeApiKeyDeps, id: string, claim: Claim<ApiKey>): Promise<ApiKey> {
  return retryStale(async () => {
    const key = revoke(findApiKey(await deps.apiKeys.list(), id), deps.now().toISOString());
    await deps.apiKeys.save(key, claim(key));
    return key;
  });
}
