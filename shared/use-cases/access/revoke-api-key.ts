import { type ApiKey, revokedApiKey } from '../../domain/access/api-key.ts';
import { descendantsOf, findApiKey } from '../../domain/access/api-key-list.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import { retryStale } from '../retry.ts';

export interface RevokeApiKeyDeps {
  apiKeys: Pick<ApiKeyStore, 'list' | 'saveAll'>;
  now: () => Date;
}

interface Revocation {
  id: string;
  /** Whether to revoke all keys that descend from it too. */
  withDescendants: boolean;
}

/** How many keys fit into one transaction besides the list and the claim. */
const mostAtOnce = 80;

/**
 * Revokes a key. Its next call is refused, because every call reads its row. Descendants are revoked in the same
 * transaction. If there are too many, the oldest are revoked first, and a repeated request continues.
 */
export async function revokeApiKey(
  deps: RevokeApiKeyDeps,
  revocation: Revocation,
  claim: Claim<ApiKey>,
): Promise<ApiKey> {
  for (;;) {
    const { key, isWhole } = await retryStale(() => revokeSome(deps, revocation, claim));
    if (isWhole) return key;
  }
}

async function revokeSome(deps: RevokeApiKeyDeps, { id, withDescendants }: Revocation, claim: Claim<ApiKey>) {
  const list = await deps.apiKeys.list();
  const now = deps.now().toISOString();
  const key = revokedApiKey(findApiKey(list, id), now);
  const descendants = withDescendants ? descendantsOf(list, id, now).reverse() : [];
  const revoked = [key, ...descendants.slice(0, mostAtOnce - 1).map((descendant) => revokedApiKey(descendant, now))];
  const isWhole = revoked.length > descendants.length;
  const command = { command: 'api_key.revoke' as const, subject: id, details: { descendants: descendants.length } };
  await deps.apiKeys.saveAll(list, revoked, isWhole ? claim(key, command) : []);
  return { key, isWhole };
}
