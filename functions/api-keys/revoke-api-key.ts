import { endpoint } from '../../shared/http/endpoint.ts';
import { apiKeys, now } from '../../shared/runtime.ts';
import { revokeApiKey } from '../../shared/use-cases/revoke-api-key.ts';

const deps = { apiKeys: apiKeys(), now };

/** DELETE /api-keys/{id} */
export const handler = endpoint({ access: 'write', idempotent: true, present: () => ({}) }, ({ param, claim }) =>
  revokeApiKey(deps, param('id'), claim),
);
