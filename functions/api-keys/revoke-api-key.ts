import { keys } from '../../shared/store/keys.ts';
import { revokeApiKey } from '../../shared/use-cases/access/revoke-api-key.ts';
import { RevocationQuery } from '../../shared/wire/access/api-key.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { apiKeys, now } from '../../shared/wiring/runtime.ts';

const deps = { apiKeys: apiKeys(), now };

/** DELETE /api-keys/{id}: with `descendants=true` also the keys that it made, and that those made. */
export const handler = endpoint(
  { access: 'admin', query: RevocationQuery, idempotent: true, needs: () => [keys.apiKeyList()], present: () => ({}) },
  ({ param, query, claim }) => revokeApiKey(deps, { id: param('id'), ...query }, claim),
);
