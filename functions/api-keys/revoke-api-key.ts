import { keys } from '../../shared/store/keys.ts';
import { revokeApiKey } from '../../shared/use-cases/access/revoke-api-key.ts';
import { RevocationQuery } from '../../shared/wire/access/api-key.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { apiKeys, now } from '../../shared/wiring/runtime.ts';

const deps = { apiKeys: apiKeys(), now };

/**
 * DELETE /api-keys/{id}: with `descendants=true`, it also revokes the keys that this key created, directly or
 * indirectly.
 */
export const handler = endpoint(
  { access: 'admin', query: RevocationQuery, idempotent: true, needs: () => [keys.apiKeyList()], present: () => ({}) },
  ({ param, query, claim }) => revokeApiKey(deps, { id: param('id'), ...query }, claim),
);
