import { assertMayGrant, type Grantor } from '../../domain/access/access.ts';
import { type ApiKey, apiKeyIdOf, endOfNewKey, type NewApiKey, newApiKey } from '../../domain/access/api-key.ts';
import type { AuditedCommand } from '../../domain/access/audit.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import { retryStale } from '../retry.ts';

export interface CreateApiKeyDeps {
  apiKeys: Pick<ApiKeyStore, 'list' | 'saveAll'>;
  /** Makes the text of a new key for this stage. */
  newKey: () => string;
  hashOf: (key: string) => string;
  now: () => Date;
}

/** A new key, with the secret part that is shown only once. */
export interface CreatedApiKey {
  apiKey: ApiKey;
  plain: string;
}

/** The key or member that creates a key, with its own permissions. */
export interface KeyMaker extends Grantor {
  /** The id of that key or member. */
  id: string;
  /**
   * Throws if the creator no longer has the permission. It runs after the list of keys was read. Removing a member
   * writes that list, so a removal in between makes the write fail.
   */
  assertStill?: () => Promise<void>;
}

/** Creates a key with at most the permissions and lifetime of its creator. Stores only the key's hash. */
export async function createApiKey(
  deps: CreateApiKeyDeps,
  { fields, maker }: { fields: NewApiKey; maker: KeyMaker },
  claim: Claim<CreatedApiKey>,
): Promise<CreatedApiKey> {
  assertMayGrant(maker, fields);
  const plain = deps.newKey();
  const known = { hash: deps.hashOf(plain), lastFour: plain.slice(-4), createdBy: maker.id };
  const bounded = { ...fields, expiresAt: endOfNewKey(fields.expiresAt, maker) };
  const created = { apiKey: newApiKey(bounded, { ...known, now: deps.now().toISOString() }), plain };
  return retryStale(async () => {
    const before = await deps.apiKeys.list();
    await maker.assertStill?.();
    await deps.apiKeys.saveAll(before, [created.apiKey], claim(created, keyMade(created.apiKey)));
    return created;
  });
}

export const keyMade = (key: ApiKey): AuditedCommand => ({
  command: 'api_key.create',
  subject: apiKeyIdOf(key),
  details: {
    access: key.access,
    may_refund: key.refunds !== null,
    ...(key.refunds?.perDay && { refunds_per_day: `${key.refunds.perDay.amount} ${key.refunds.perDay.currency}` }),
  },
});
