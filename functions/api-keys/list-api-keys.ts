import { keys } from '../../shared/store/keys.ts';
import { presentApiKey } from '../../shared/wire/access/api-key.ts';
import { presentAll } from '../../shared/wire/tax/tax-rules.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { apiKeys } from '../../shared/wiring/runtime.ts';

const deps = { apiKeys: apiKeys() };

/** GET /api-keys */
export const handler = endpoint(
  { access: 'read', needs: () => [keys.apiKeyList()], present: presentAll(presentApiKey) },
  async () => {
    const { keys } = await deps.apiKeys.list();
    return keys;
  },
);
